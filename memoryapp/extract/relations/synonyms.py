"""What people call the types of relations: phrases with the verb in its plain form, by type. For `taxonomy`."""

from __future__ import annotations

from memoryapp.domain.relation import RelationType as T

# Parted by commas. “<”: said of the object, as “X employs Y” of who works there.
SYNONYMS = {
    T.USES: """
        사용, 사용하다, 사용한다, 쓰다, 쓴다,
        use, try, try out, utilize, utilise, employ as, leverage, make use of, adopt, switch to, migrate to,
        upgrade to, standardize on, rely upon, write in, rewrite in, port to, code in, program in, develop in,
        develop with, develop using, build with, build using, make with, write with, set up with, configure
        with, create with, deploy with, manage with, automate with, test with, work using, power by, user of,
        run, rent, lease, subscribe to, describe in, define in, specify in, provision with, provision by
        """,
    T.PREFERS: """
        선호, 선호하다, 좋아하다, 좋아한다,
        prefer, like, love, enjoy, favor, favour, adore, fan of, be fond of, big fan of, be into, swear by
        """,
    T.OWNS: """
        own, buy, purchase, possess, have, owner of, < belong to, < owned by
        """,
    T.WORKS_AT: """
        일하다, 일한다, 근무하다, 근무한다,
        work at, work for, intern at, be employed at, be employed by, employed by, employ by, hire by, employed
        at, teach at, employee of, engineer at, engineer for, < employ, < hire, < employer of
        """,
    T.WORKS_ON: """
        work on, contribute to, maintain, contributor to, maintainer of, improve, refactor, rewrite, redesign,
        test, responsible for, take care of, be in charge of, in charge of
        """,
    T.COLLABORATES_WITH: """
        collaborate with, work with, work together with, work alongside, pair with, partner with, team up with,
        cooperate with, collaborator of, colleague of, coworker of, teammate of, co-worker of, with
        """,
    T.KNOWS: """
        know, meet, meet with, marry, marry to, date, befriend, friend of, married to, friends with, be friends
        with, be married to, get to know, sister of, brother of, wife of, husband of, partner of, mother of,
        father of, son of, daughter of, parent of, child of, cousin of, neighbour of, neighbor of, roommate of,
        mentor of, mentor, engaged to
        """,
    T.MANAGES: """
        manage, lead, supervise, head, oversee, coordinate, manager of, boss of, lead of, leader of, head of,
        ceo of, cto of, director of, < report to, < answer to, < managed by
        """,
    T.MEMBER_OF: """
        belong in, join, member of, part of the team, be a member of, sign up for, enrol in, enroll in, study
        at, student at
        """,
    T.CREATED: """
        만들다, 만든다, 만들었다, 개발하다,
        create, build, write, design, develop, found, co-found, cofound, invent, author, make, establish,
        launch, start, set up, publish, release, produce, compose, creator of, author of, founder of, co-founder
        of, cofounder of, inventor of, designer of, developer of, configure
        """,
    T.IMPLEMENTS: """
        implement, conform to, comply with, implementation of
        """,
    T.SKILLED_IN: """
        specialize in, specialise in, excel at, excel in, master, proficient in, skilled in, skilled at, fluent
        in, experienced in, experienced with, expert in, expert on, expert at, good at, be good at, speak,
        knowledgeable about, adept at, adept in, well versed in
        """,
    T.LIVES_IN: """
        살다, 산다, 거주하다, 거주한다,
        live in, live at, reside in, move to, relocate to, settle in, settle down in, dwell in, home is,
        inhabit, resident of
        """,
    T.LOCATED_IN: """
        locate in, locate at, located in, base in, base at, based in, situate in, headquarter in, lie in, in,
        stand in, be in
        """,
    T.VISITED: """
        visit, travel to, fly to, go to, tour, trip to
        """,
    T.PART_OF: """
        part of, component of, module of, subset of, piece of, be part of, < contain, < include, < consist of, <
        comprise, < compose of
        """,
    T.RUNS_ON: """
        run on, run in, host on, host at, deploy on, deploy to, deploy in, run under, run on top of
        """,
    T.DEPENDS_ON: """
        depend on, depend upon, rely on, require, need, build on, build upon, build on top of, base on, based
        on, rest on, dependency, back by
        """,
    T.RELATED_TO: """
        관련, 관련되다,
        related to, relate to, associated with, connected to, grow up in, be born in, born in, bear in, sell,
        sell to
        """,
    T.IS_A: """
        be a, be an, is a, be, kind of, type of, instance of, subclass of, sort of, isa
        """,
}
