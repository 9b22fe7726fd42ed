"""Addresses of the pages. Ids are 16 hex digits; what is not is no address of ours."""

from __future__ import annotations

from django.urls import path, re_path

from memoryapp.interfaces.audit import pages as audit_pages
from memoryapp.interfaces.backups import pages as backups_pages
from memoryapp.interfaces.benchmarks import pages as benchmarks_pages
from memoryapp.interfaces.conflicts import pages as conflicts_pages
from memoryapp.interfaces.consolidate import pages as consolidate_pages
from memoryapp.interfaces.context import pages as context_pages
from memoryapp.interfaces.entities import pages as entities_pages
from memoryapp.interfaces.entities import relation_pages
from memoryapp.interfaces.episodes import pages as episodes_pages
from memoryapp.interfaces.facts import pages as facts_pages
from memoryapp.interfaces.feedback import pages as feedback_pages
from memoryapp.interfaces.golden import pages as golden_pages
from memoryapp.interfaces.graph import pages as graph_pages
from memoryapp.interfaces.heartbeat import pages as heartbeat_pages
from memoryapp.interfaces.home import pages as home_pages
from memoryapp.interfaces.inbox import pages as inbox_pages
from memoryapp.interfaces.ingest import pages as ingest_pages
from memoryapp.interfaces.jobs import pages as jobs_pages
from memoryapp.interfaces.lab import pages as lab_pages
from memoryapp.interfaces.memories import pages as memories_pages
from memoryapp.interfaces.palette import pages as palette_pages
from memoryapp.interfaces.people import pages as people_pages
from memoryapp.interfaces.profiles import pages as profiles_pages
from memoryapp.interfaces.search import pages as search_pages
from memoryapp.interfaces.sessions import pages as sessions_pages
from memoryapp.interfaces.settings import pages as settings_pages
from memoryapp.interfaces.settings import space_pages
from memoryapp.interfaces.summaries import pages as summaries_pages
from memoryapp.interfaces.traces import pages as traces_pages
from memoryapp.interfaces.transfer import list_exports
from memoryapp.interfaces.transfer import pages as transfer_pages
from memoryapp.interfaces.tree import pages as tree_pages

ID = r"(?P<key>[0-9a-f]{16})"
BACKUP = r"(?P<name>[a-z0-9-]{1,40}-[0-9]{8}-[0-9]{6}\.palimpsest\.gz)"
PROFILE = r"(?P<name>[a-z0-9][a-z0-9-]{0,39})"

urlpatterns = [
    path("", home_pages.home, name="home"),
    path("palette/", palette_pages.palette, name="palette"),
    path("running/", home_pages.running, name="home-running"),
    path("demo/", home_pages.fill_with_demo, name="home-demo"),
    path("first-steps/", home_pages.steps, name="home-steps"),
    path("first-steps/ask/", home_pages.ask, name="home-steps-ask"),
    path("first-steps/show/", home_pages.set_steps, {"shown": True}, name="home-steps-show"),
    path("first-steps/hide/", home_pages.set_steps, {"shown": False}, name="home-steps-hide"),
    path("housekeeping/", home_pages.housekeeping, name="home-housekeeping"),
    path("login/", people_pages.sign_in, name="login"),
    path("login/<str:token>", people_pages.by_link, name="login-link"),
    path("logout/", people_pages.sign_out, name="logout"),
    path("memories/", memories_pages.memories_page, name="memories"),
    path("memories/bulk/", memories_pages.bulk, name="memories-bulk"),
    path("memories/write/", memories_pages.write_memory, name="memories-write"),
    re_path(rf"^memories/{ID}/$", memories_pages.memory_page, name="memory"),
    re_path(rf"^memories/{ID}/row/$", memories_pages.memory_row, name="memory-row"),
    re_path(rf"^memories/{ID}/line/$", memories_pages.memory_line, name="memory-line"),
    re_path(rf"^memories/{ID}/trust/$", memories_pages.trust_reason, name="memory-trust"),
    re_path(rf"^memories/{ID}/words/$", memories_pages.words, name="memory-words"),
    re_path(rf"^memories/{ID}/edit/$", memories_pages.edit, name="memory-edit"),
    re_path(rf"^memories/{ID}/purge/$", memories_pages.purge, name="memory-purge"),
    re_path(rf"^memories/{ID}/restore/(?P<revision>[0-9a-f]{{16}})/$", memories_pages.restore, name="memory-restore"),
    re_path(
        rf"^memories/{ID}/(?P<verb>confirm|pin|archive|delete|restore|revert)/$", memories_pages.act, name="memory-act"
    ),
    path("documents/<str:key>/", memories_pages.document, name="document"),
    re_path(r"^runs/(?P<run>[0-9a-f]{16})/undo/$", memories_pages.undo_run, name="run-undo"),
    path("facts/", facts_pages.facts_page, name="facts"),
    path("facts/bulk/", facts_pages.bulk, name="facts-bulk"),
    path("inbox/", inbox_pages.inbox_page, name="inbox"),
    path("inbox/act/", inbox_pages.act, name="inbox-act"),
    path("inbox/seen/", inbox_pages.see, name="inbox-seen"),
    re_path(rf"^inbox/{ID}/edit/$", inbox_pages.edit, name="inbox-edit"),
    re_path(rf"^inbox/{ID}/never/$", inbox_pages.never, name="inbox-never"),
    re_path(rf"^exclusions/{ID}/$", inbox_pages.set_exclusion, name="exclusion-set"),
    re_path(rf"^exclusions/{ID}/remove/$", inbox_pages.remove_exclusion, name="exclusion-remove"),
    path("conflicts/", conflicts_pages.conflicts_page, name="conflicts"),
    path("conflicts/accept/", conflicts_pages.accept, name="conflicts-accept"),
    re_path(rf"^conflicts/{ID}/$", conflicts_pages.conflicts_page, name="conflict"),
    re_path(rf"^conflicts/{ID}/changes/$", conflicts_pages.changes, name="conflict-changes"),
    re_path(
        rf"^conflicts/{ID}/(?P<outcome>keep|replace|both|merge|neither)/$",
        conflicts_pages.decide,
        name="conflict-decide",
    ),
    re_path(rf"^conflicts/{ID}/snooze/$", conflicts_pages.snooze, name="conflict-snooze"),
    re_path(rf"^conflicts/{ID}/undo/$", conflicts_pages.undo, name="conflict-undo"),
    path("audit/", audit_pages.audit_page, name="audit"),
    re_path(r"^audit/(?P<revision>[0-9a-f]{16})/undo/$", audit_pages.undo, name="revision-undo"),
    path("feedback/", feedback_pages.feedback_page, name="feedback"),
    path("feedback/reset/", feedback_pages.reset, name="feedback-reset"),
    re_path(r"^feedback/reset/(?P<key>[0-9a-f]{16})/undo/$", feedback_pages.undo, name="feedback-undo"),
    path("traces/", traces_pages.traces_page, name="traces"),
    re_path(rf"^traces/{ID}/$", traces_pages.trace_page, name="trace"),
    re_path(rf"^traces/{ID}/delete/$", traces_pages.delete, name="trace-delete"),
    path("search/", search_pages.search_page, name="search"),
    path("search/profiles/", profiles_pages.profiles_page, name="profiles"),
    path("search/profiles/form/", profiles_pages.form, name="profile-form"),
    path("search/profiles/save/", profiles_pages.save, name="profile-save"),
    re_path(rf"^search/profiles/{PROFILE}/delete/$", profiles_pages.delete, name="profile-delete"),
    re_path(rf"^search/profiles/{PROFILE}/undo/$", profiles_pages.undo, name="profile-undo"),
    path("search/golden/", golden_pages.golden_page, name="golden"),
    path("search/golden/form/", golden_pages.form, name="golden-form"),
    path("search/golden/candidates/", golden_pages.candidates, name="golden-candidates"),
    path("search/golden/add/", golden_pages.add, name="golden-add"),
    path("search/golden/import/", golden_pages.bring, name="golden-import"),
    path("search/golden/import/undo/", golden_pages.undo_bring, name="golden-import-undo"),
    path("search/golden/export.jsonl", golden_pages.take, name="golden-export"),
    path("search/golden/run/", golden_pages.begin_run, name="golden-run"),
    path("search/golden/run/form/", golden_pages.run_form, name="golden-run-form"),
    path("search/golden/runs/", golden_pages.runs_page, name="golden-runs"),
    re_path(rf"^search/golden/runs/{ID}/$", golden_pages.run_page, name="golden-run-page"),
    re_path(rf"^search/golden/running/{ID}/$", golden_pages.run_progress, name="golden-running"),
    re_path(rf"^search/golden/{ID}/change/$", golden_pages.change, name="golden-change"),
    re_path(rf"^search/golden/{ID}/delete/$", golden_pages.delete, name="golden-delete"),
    re_path(rf"^search/golden/{ID}/undo/$", golden_pages.undo, name="golden-undo"),
    path("benchmarks/", benchmarks_pages.benchmarks_page, name="benchmarks"),
    path("search/compare/", lab_pages.lab_page, name="lab"),
    path("search/compare/why/", lab_pages.explain_expected, name="lab-why"),
    path("search/compare/exact/", lab_pages.exact, name="lab-exact"),
    path("search/compare/<int:n>/take/", lab_pages.take, name="lab-take"),
    path("sessions/", sessions_pages.sessions_page, name="sessions"),
    path("sessions/begin/", sessions_pages.begin, name="session-begin"),
    re_path(rf"^sessions/{ID}/$", sessions_pages.session_page, name="session"),
    re_path(rf"^sessions/{ID}/said/$", sessions_pages.live_conversation, name="session-said"),
    re_path(rf"^sessions/{ID}/say/$", sessions_pages.say_turn, name="session-say"),
    re_path(rf"^sessions/{ID}/read/$", sessions_pages.read_again, name="session-read"),
    re_path(rf"^sessions/{ID}/tell/$", sessions_pages.tell, name="session-tell"),
    re_path(rf"^sessions/{ID}/private/$", sessions_pages.set_private, name="session-private"),
    re_path(rf"^sessions/{ID}/erase/$", sessions_pages.erase_private, name="session-erase"),
    re_path(rf"^sessions/{ID}/end/$", sessions_pages.end, name="session-end"),
    path("episodes/", episodes_pages.episodes_page, name="episodes"),
    path("graph/", graph_pages.graph_page, name="graph"),
    path("graph/beside/", graph_pages.scene_details, name="graph-beside"),
    path("graph/scene/", graph_pages.scene, name="graph-scene"),
    path("graph/find/", graph_pages.find, name="graph-find"),
    path("graph/path/", graph_pages.find_path, name="graph-find-path"),
    path("graph/export.graphml", graph_pages.export, name="graph-export"),
    re_path(rf"^graph/panel/{ID}/$", graph_pages.panel, name="graph-panel"),
    re_path(r"^graph/community/(?P<number>-?[0-9]{1,7})/$", graph_pages.community_panel, name="graph-community"),
    path("graph/names/", graph_pages.names, name="graph-names"),
    path("entities/", entities_pages.entities_page, name="entities"),
    path("entities/add/", entities_pages.add, name="entity-add"),
    path("entities/suggest/", entities_pages.suggest, name="entities-suggest"),
    path("entities/bulk/", entities_pages.bulk, name="entities-bulk"),
    path("entities/merge/", entities_pages.merge, name="entity-merge"),
    path("entities/not-alike/", entities_pages.not_alike, name="entity-not-alike"),
    re_path(rf"^entities/alike/{ID}/again/$", entities_pages.alike_again, name="entity-alike-again"),
    re_path(rf"^entities/{ID}/$", entities_pages.entity_page, name="entity"),
    re_path(rf"^entities/{ID}/edit/$", entities_pages.edit, name="entity-edit"),
    re_path(rf"^entities/{ID}/state/$", entities_pages.put_state, name="entity-state"),
    re_path(rf"^entities/{ID}/part/$", entities_pages.part, name="entity-part"),
    re_path(rf"^entities/{ID}/under/$", entities_pages.under, name="entity-under"),
    re_path(rf"^entities/{ID}/not-under/$", entities_pages.not_under, name="entity-not-under"),
    path("relations/add/", relation_pages.add, name="relation-add"),
    re_path(rf"^relations/{ID}/$", relation_pages.relation, name="relation"),
    re_path(rf"^relations/{ID}/change/$", relation_pages.change, name="relation-change"),
    re_path(rf"^relations/{ID}/refuse/$", relation_pages.refuse, name="relation-refuse"),
    re_path(rf"^relations/{ID}/hold/$", relation_pages.hold, name="relation-hold"),
    # The part "_" can be no part of a node's path, so that no node hides behind an act.
    path("tree/", tree_pages.tree_page, name="tree"),
    path("tree/_/branch/", tree_pages.branch, name="tree-branch"),
    path("tree/_/reach/", tree_pages.reach, name="tree-reach"),
    path("tree/_/paths/", tree_pages.paths, name="tree-paths"),
    path("tree/_/new/", tree_pages.new_node, name="tree-new"),
    path("tree/_/take-in/", tree_pages.take_in, name="tree-take-in"),
    path("tree/_/leave-out/", tree_pages.leave_out, name="tree-leave-out"),
    path("tree/_/import/", tree_pages.import_tree, name="tree-import"),
    path("tree/_/export/", tree_pages.export_tree, name="tree-export"),
    re_path(r"^tree/_/undo/(?P<run>[0-9a-f]{16})/$", tree_pages.undo, name="tree-undo"),
    path("tree/_/waiting/", tree_pages.waiting, name="tree-waiting-all"),
    path("tree/_/waiting/<path:path>", tree_pages.waiting, name="tree-waiting"),
    path("tree/_/edit/<path:path>", tree_pages.edit_node, name="tree-edit"),
    path("tree/_/preview/<path:path>", tree_pages.preview, name="tree-preview"),
    path("tree/_/move/<path:path>", tree_pages.move_node, name="tree-move"),
    path("tree/_/merge/<path:path>", tree_pages.merge_nodes, name="tree-merge"),
    path("tree/_/remove/<path:path>", tree_pages.remove_node, name="tree-remove"),
    path("tree/_/keywords/<path:path>", tree_pages.keywords, name="tree-keywords"),
    path("tree/_/weight/<path:path>", tree_pages.weight, name="tree-weight"),
    path("tree/_/split/<path:path>", tree_pages.split_node, name="tree-split"),
    path("tree/_/freshen/<path:path>", tree_pages.freshen, name="tree-freshen"),
    path("tree/<path:path>", tree_pages.tree_page, name="tree-node"),
    path("summaries/", summaries_pages.summaries_page, name="summaries"),
    path("summaries/refresh/", summaries_pages.refresh, name="summaries-refresh"),
    path("context/", context_pages.context_page, name="context"),
    path("preview/", facts_pages.preview_page, name="preview"),
    path("preview/keep/", facts_pages.keep, name="preview-keep"),
    re_path(
        r"^export/(?P<name>memories|facts|episodes|entities|sessions|conflicts|audit|jobs|traces)\.(?P<form>csv|json)$",
        list_exports.export_list,
        name="list-export",
    ),
    path("ingest/", ingest_pages.ingest_page, name="ingest"),
    path("ingest/folders/", ingest_pages.folders_page, name="ingest-folders"),
    path("ingest/start/", ingest_pages.start, name="ingest-start"),
    path("ingest/upload/", ingest_pages.upload, name="ingest-upload"),
    path("sources/<str:key>/read/", ingest_pages.read_source, name="source-read"),
    path("sources/<str:key>/schedule/", ingest_pages.schedule_source, name="source-schedule"),
    path("sources/<str:key>/forget/", ingest_pages.forget_source, name="source-forget"),
    re_path(
        r"^entities/(?P<key>[^/]{1,64})/(?P<verb>take-in|refuse)/$", ingest_pages.decide_entity, name="entity-decide"
    ),
    path("consolidate/", consolidate_pages.consolidate_page, name="consolidate"),
    path("consolidate/pick/", consolidate_pages.pick, name="consolidate-pick"),
    path("consolidate/swap/", consolidate_pages.swap, name="consolidate-swap"),
    path("consolidate/write/", consolidate_pages.write, name="consolidate-write"),
    path("consolidate/runs/", consolidate_pages.runs_page, name="consolidate-runs"),
    path("consolidate/marks/", consolidate_pages.marks_page, name="consolidate-marks"),
    re_path(rf"^consolidate/digests/{ID}/$", consolidate_pages.digest, name="consolidate-digest"),
    re_path(rf"^consolidate/working/{ID}/$", consolidate_pages.working, name="consolidate-working"),
    re_path(
        r"^consolidate/runs/(?P<run>[0-9a-f]{16})/roll-back/$",
        consolidate_pages.roll_back,
        name="consolidate-roll-back",
    ),
    path("jobs/", jobs_pages.jobs_page, name="jobs"),
    re_path(rf"^jobs/{ID}/$", jobs_pages.job_page, name="job"),
    re_path(rf"^jobs/{ID}/progress/$", jobs_pages.progress, name="job-progress"),
    re_path(rf"^jobs/{ID}/files/$", jobs_pages.files, name="job-files"),
    re_path(rf"^jobs/{ID}/(?P<verb>cancel|retry)/$", jobs_pages.act, name="job-act"),
    path("settings/", space_pages.space_page, name="settings"),
    path("settings/reset/", space_pages.reset, name="settings-reset"),
    path("settings/undo/", space_pages.undo, name="settings-undo"),
    path("settings/cards/", space_pages.cards, name="settings-cards"),
    path("settings/spaces/", settings_pages.spaces_page, name="settings-spaces"),
    path("settings/people/", people_pages.people_page, name="settings-people"),
    path("settings/people/<str:name>/", people_pages.person, name="settings-person"),
    path("settings/keys/", people_pages.keys_page, name="settings-keys"),
    path("settings/keys/<int:key>/revoke/", people_pages.revoke, name="settings-key-revoke"),
    path("settings/keys/<int:key>/rotate/", people_pages.rotate, name="settings-key-rotate"),
    path("settings/heartbeat/", heartbeat_pages.heartbeat_page, name="settings-heartbeat"),
    re_path(r"^settings/heartbeat/(?P<act>[a-z-]{1,40})/$", heartbeat_pages.set_act, name="settings-heartbeat-set"),
    re_path(r"^settings/heartbeat/(?P<act>[a-z-]{1,40})/run/$", heartbeat_pages.run_act, name="settings-heartbeat-run"),
    path("settings/backups/", backups_pages.backups_page, name="settings-backups"),
    path("settings/backups/take/", backups_pages.take, name="settings-backups-take"),
    path("settings/backups/remove-purged/", backups_pages.remove_purged, name="settings-backups-purged"),
    re_path(rf"^settings/backups/{BACKUP}/$", backups_pages.download, name="settings-backup"),
    re_path(
        rf"^settings/backups/{BACKUP}/(?P<what>remove|restore)/ask/$", backups_pages.ask, name="settings-backup-ask"
    ),
    re_path(rf"^settings/backups/{BACKUP}/remove/$", backups_pages.remove, name="settings-backup-remove"),
    re_path(rf"^settings/backups/{BACKUP}/restore/$", backups_pages.restore, name="settings-backup-restore"),
    path("settings/move/", transfer_pages.move_page, name="settings-move"),
    path("settings/move/export/", transfer_pages.take_out, name="settings-move-export"),
    path("settings/move/import/", transfer_pages.bring, name="settings-move-import"),
    re_path(rf"^settings/move/{ID}/carry-out/$", transfer_pages.carry_out, name="settings-move-again"),
    path("settings/health/", settings_pages.health_page, name="settings-health"),
    path("settings/health/whole/", settings_pages.integrity_check, name="settings-whole"),
    path("settings/embed/", space_pages.embed, name="settings-embed"),
    path("settings/chat-model/", space_pages.test_chat_model, name="settings-chat-model"),
    path("settings/encoder/", space_pages.test_encoder, name="settings-encoder"),
    path("settings/me/", settings_pages.me_page, name="settings-me"),
]
