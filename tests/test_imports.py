"""No module of ours imports itself through others when it runs; imports for types alone do not count."""

from __future__ import annotations

import grimp


def test_no_modules_import_each_other_in_a_circle():
    graph = grimp.build_graph("webapp", "runner", "designer", exclude_type_checking_imports=True)

    open_ = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while free := [module for module, imported in open_.items() if not imported & open_.keys()]:
        for module in free:
            del open_[module]

    assert sorted(open_) == []
