from cave_sim.dashboards.lookups.differing import differences


def somebody(kind="Resident", **fields):
    return {"type": kind, "fields": fields}


HOME = somebody("Place", title="Elm 3")
PLAN = {"18:00": "meet", "at": {"$ref": "the_elm"}}
ONE = {
    "ann": somebody(mood=0.5, ill=False, home={"$ref": "the_elm"}, plan={}, diary=None, haunts=["the_elm", "park"]),
    "mayor": somebody("Mayor", title="Ann Ash", mood=0.1),
    "the_elm": HOME,
    "only_here": somebody(title="Old Bo"),
    "$system": {"type": "System", "fields": {"seed": 1}},
}
OTHER = {
    "ann": somebody(mood=0.75, ill=True, home=None, plan=PLAN, diary="", haunts=["the_elm"], shoes="red"),
    "mayor": somebody("Mayor", title="Bob Birch", mood=0.1),
    "the_elm": HOME,
    "$system": {"type": "System", "fields": {"seed": 2}},
}


def told(*states, most=50):
    found = differences(states, most)
    return {(row["title"], row["field"]): row["values"] for row in found["rows"]}, found


def test_values_that_differ_are_told_in_words():
    values, found = told(ONE, OTHER)
    assert values == {
        ("Ann", "mood"): ["0.5", "0.75"],
        ("Ann", "ill"): ["no", "yes"],
        ("Ann", "home"): ["Elm 3", "nothing"],
        ("Ann", "plan"): ["empty", "18:00: meet, at: Elm 3"],
        ("Ann", "diary"): ["nothing", "empty"],
        ("Ann", "haunts"): ["Elm 3, park", "Elm 3"],
        ("Ann", "shoes"): ["not there", "red"],
        ("Mayor", "title"): ["Ann Ash", "Bob Birch"],  # of two who are called otherwise, neither name
    }
    assert found["rows"][0]["numbers"] == [0.5, 0.75]
    assert "numbers" not in found["rows"][1]  # yes and no are none
    assert ["Resident", "mood", 1] in found["fields"]


def test_whoever_is_in_some_runs_only_is_named_once_and_not_by_each_of_their_fields():
    _, found = told(ONE, OTHER, ONE)
    assert [each["named"] for each in found["missing"]] == [[], ["Old Bo"], []]
    assert all(row["entity"] != "only_here" for row in found["rows"])


def test_long_values_are_told_where_they_part():
    one, other = (["the same words over and over"] * 9 + [end] for end in ("here", "there"))
    values, _ = told({"ann": somebody(plan=one)}, {"ann": somebody(plan=other)})
    (texts,) = values.values()
    assert texts[0] != texts[1]
    assert "there" in texts[1]


def test_those_of_several_values_that_look_alike_are_told_apart():
    begun = "p" * 100
    said = [f"{begun}A", "q", f"{begun}B", f"{begun}A", f"{begun}B{begun}C", f"{begun}B{begun}D"]
    values, _ = told(*({"ann": somebody(diary=each)} for each in said))
    (texts,) = values.values()
    assert len(set(texts)) == len(set(said))
    assert texts[0] == texts[3]
    assert texts[1] == "q"
    assert (texts[0][-2], texts[2][-2]) == ("A", "B")


def test_what_is_not_there_is_told_from_words_that_say_so():
    values, _ = told({"ann": somebody()}, {"ann": somebody(diary="not there")})
    assert values == {("Ann", "diary"): ["not there", '"not there"']}


def test_all_are_counted_and_the_first_shown():
    _, found = told(ONE, OTHER, most=2)
    assert (found["total"], len(found["rows"])) == (8, 2)
    assert told(ONE, ONE)[1]["total"] == 0
