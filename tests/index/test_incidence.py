from __future__ import annotations

from memoryapp.domain.entity import EntityState, Reference
from memoryapp.index.links import Links, Seats
from memoryapp.index.register import Register
from tests.index.world import entity


def test_an_edge_may_come_before_its_memory_and_its_entity() -> None:
    links = Links(Register(), Seats())
    links.put(Reference("m1", "e1"), slot=-1)
    assert links.publish(0).degree.tolist() == [0]
    links.register.put("e1", entity("e1", "Rome"))
    links.seats.seat("m1", 0)
    incidence = links.publish(1)
    assert incidence.degree.tolist() == [1]
    assert incidence.matrix.toarray().tolist() == [[1.0]]


def test_two_roles_are_two_edges_and_one_place_in_the_matrix() -> None:
    links = Links(Register(), Seats())
    links.register.put("e1", entity("e1", "Rome"))
    links.put(Reference("m1", "e1", "subject", 1.0), slot=0)
    links.put(Reference("m1", "e1", "object", 0.5), slot=0)
    incidence = links.publish(1)
    assert incidence.matrix.toarray().tolist() == [[1.5]]
    assert incidence.degree.tolist() == [1]
    assert [(role, weight) for _, role, weight in incidence.of(0)] == [("subject", 1.0), ("object", 0.5)]


def test_refused_and_unknown_entities_have_no_edges() -> None:
    links = Links(Register(), Seats())
    links.register.put("e1", entity("e1", "Rome", state=EntityState.REFUSED))
    links.put(Reference("m1", "e1"), slot=0)
    links.put(Reference("m1", "e2"), slot=0)
    assert links.publish(1).matrix.nnz == 0
    links.register.put("e1", entity("e1", "Rome"))
    assert links.publish(1).matrix.nnz == 1
    links.register.put("e1", None)
    assert links.publish(1).matrix.nnz == 0


def test_a_published_incidence_stays_while_links_go_on() -> None:
    links = Links(Register(), Seats())
    links.register.put("e1", entity("e1", "Rome"))
    links.put(Reference("m1", "e1"), slot=0)
    before = links.publish(1)
    links.drop(("m1", "e1", "mention"))
    links.put(Reference("m2", "e1"), slot=1)
    links.seats.seat("m1", -1)
    after = links.publish(2)
    assert before.matrix.toarray().tolist() == [[1.0]]
    assert after.matrix.toarray().tolist() == [[0.0], [1.0]]
    assert after.touching(["e1"]).tolist() == [False, True]


def test_dropping_what_is_not_there_is_nothing() -> None:
    links = Links(Register(), Seats())
    links.drop(("m", "e", "mention"))
    assert links.publish(0).matrix.nnz == 0


def test_merged_entities_are_counted_as_one() -> None:
    links = Links(Register(), Seats())
    links.register.put("nvim", entity("nvim", "nvim"))
    links.register.put("neovim", entity("neovim", "Neovim"))
    links.put(Reference("m1", "nvim", "mention", 0.5), slot=0)
    links.put(Reference("m1", "neovim", "mention", 0.75), slot=0)
    links.put(Reference("m1", "nvim", "object", 1.0), slot=0)
    links.put(Reference("m2", "nvim", "mention", 0.5), slot=1)
    apart = links.publish(3)
    links.register.put("nvim", entity("nvim", "nvim", merged_into="neovim"))
    incidence = links.publish(3)
    neovim, nvim = incidence.code_of["neovim"], incidence.code_of["nvim"]
    assert incidence.matrix[:, [neovim, nvim]].toarray().tolist() == [[1.75, 0.0], [0.5, 0.0], [0.0, 0.0]]
    assert incidence.degree[[neovim, nvim]].tolist() == [2, 0]
    assert incidence.code("nvim") == incidence.code("neovim") == neovim and incidence.code("emacs") == -1
    assert [(e.name, role, w) for e, role, w in incidence.of(0)] == [
        ("Neovim", "mention", 0.75),
        ("Neovim", "object", 1.0),
    ]
    assert incidence.touching(["nvim"]).tolist() == [True, True, False]
    links.register.put("nvim", entity("nvim", "nvim"))
    parted = links.publish(3)
    assert (parted.matrix != apart.matrix).nnz == 0
    assert parted.matrix[:, [neovim, nvim]].toarray().tolist() == [[0.75, 1.5], [0.0, 0.5], [0.0, 0.0]]


def test_memories_without_edges_and_counted_sightings_leave_the_edges_as_they_are() -> None:
    links = Links(Register(), Seats())
    links.register.put("e1", entity("e1", "Rome"))
    links.put(Reference("m1", "e1"), slot=1)
    before = links.publish(2)
    assert before.matrix.shape == (2, 1)
    links.seats.seat("unheard of", 3)
    links.put(Reference("m1", "e1"), slot=1)
    after = links.publish(5)
    assert after.matrix.shape == after.by_entity.shape == (5, 1)
    assert after.matrix.data is before.matrix.data or (after.matrix.data.base is before.matrix.data.base)
    links.register.put("e1", entity("e1", "Roma"))
    renamed = links.publish(5)
    assert renamed is not after and [one.name for one, _, _ in renamed.of(1)] == ["Roma"]
    assert [one.name for one, _, _ in after.of(1)] == ["Rome"]
