from cave_sim.dashboards.bundle import bundle, in_order
from cave_sim.dashboards.page_files import WEB, web_text

SMALL = {
    "main.js": 'import { twice, START } from "./lib/sums.js";\nconsole.log(twice(START));\n',
    "lib/sums.js": 'import { ONE as FIRST } from "../one.js";\nexport const START = FIRST;\n'
    "export function twice(x) { return 2 * x; }\n",
    "one.js": "export const ONE = 1;\n",
}


def test_a_module_comes_behind_those_that_it_imports():
    assert in_order("main.js", SMALL.__getitem__) == ["one.js", "lib/sums.js", "main.js"]


def test_imports_become_parts_of_what_another_module_returns():
    script = bundle("main.js", SMALL.__getitem__)
    assert 'const { ONE: FIRST } = modules["one.js"];' in script
    assert "return { START, twice };" in script
    assert "import" not in script


def test_every_module_is_in_the_bundle_of_some_page():
    written = {file.relative_to(WEB).as_posix() for file in WEB.rglob("*.js")} - {"theme.js"}
    assert {*in_order("main.js", web_text), *in_order("difference.js", web_text)} == written


def test_no_import_or_export_of_the_page_is_left_over():
    lines = bundle("main.js", web_text).splitlines()
    assert not [line for line in lines if line.startswith(("import ", "export "))]
