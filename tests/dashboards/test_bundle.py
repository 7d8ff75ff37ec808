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


def test_comments_stay_behind_and_addresses_and_texts_do_not():
    hello = '// Says hello.\nexport const HELLO = "http://x"; // aloud\n'
    text = hello + '  // and once more\nexport const BYE = "bye // bye";\n'
    script = bundle("hello.js", {"hello.js": text}.__getitem__)
    assert "Says" not in script
    assert "once more" not in script
    assert 'const HELLO = "http://x"; // aloud\nconst BYE = "bye // bye";\n' in script


def test_no_text_of_the_page_that_spans_lines_has_one_that_begins_as_a_comment_does():
    for file in WEB.rglob("*.js"):
        within_text = False
        for line in file.read_text(encoding="utf-8").split("\n"):
            assert not (within_text and line.lstrip().startswith("//")), file
            within_text ^= line.count("`") % 2 == 1
