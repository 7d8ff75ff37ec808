"""Scenarios that are wrong in one way each: text, line, words of the message. It is TOML where it begins with #toml."""
# ruff: noqa: E501  # one scenario a line

HEAD = "name: tea\nsimulation: town_day\n"


def bomb(name, nested):
    """Return eight lines, each of which has the one before ten times."""
    return "".join(f"{name}{n}: &{name}{n} {nested.format(', '.join([f'*{name}{n - 1}'] * 10))}\n" for n in range(1, 9))


BAD = {
    # ---- no text of a kind that can be read
    "empty": ("", None, "this is nothing"),
    "a list": ("- one\n- two\n", None, "a scenario is a table of keys"),
    "a word": ("epidemic\n", None, "a scenario is a table of keys"),
    "no YAML": (HEAD + "options: {step_s: 600\nseeds: 3\n", 3, "a bracket that opens here is not closed"),
    "a tab": (HEAD + "options:\n\tstep_s: 600\n", 4, "this is no YAML"),
    "an object of Python": (HEAD + "options: !!python/object/apply:os.system ['true']\n", 3, "stands for no plain data"),
    "an alias of nothing": (HEAD + "steps: *many\n", 3, "this is no YAML"),
    "a key twice": (HEAD + "steps: 3\nsteps: 4\n", 4, "'steps' is here twice"),
    "a list as a key": (HEAD + "[a, b]: 1\n", 3, "a key is a word"),
    "no TOML": ("#toml\nname = \n", 2, "this is no TOML"),
    "TOML twice": ('#toml\nname = "a"\nname = "b"\n', 3, "this is no TOML"),
    "a sign that nobody sees": ("name: tea\nquestion: a\x07b\nsimulation: town_day\n", 2, "nobody sees the sign U"),
    # ---- keys
    "no simulation": ("name: tea\n", 1, "needs 'simulation'"),
    "no name": ("simulation: town_day\n", 1, "needs 'name'"),
    "a key misspelt": (HEAD + "intervention: []\n", 3, "Did you mean 'interventions'"),
    "a key of nowhere": (HEAD + "xyzzy: 1\n", 3, "There are name, question, simulation"),
    "a key deep down": (HEAD + "conditions:\n  a: {}\n  b:\n    option: {}\n", 6, "Did you mean 'options'"),
    "a key of an intervention": (
        HEAD + "interventions:\n  - at: 3\n    cell: pass\n  - att: 4\n    cell: pass\n", 6, "Did you mean 'at'"
    ),
    "a key of TOML": ('#toml\nname = "a"\nsimulation = "b"\n\n[[interventions]]\nat = 3\ncel = "pass"\n', 7, "'cell'"),
    "a key in a TOML table": ('#toml\nname = "a"\nsimulation = "b"\n[conditions.one]\nresident = 3\n', 5, "'residents'"),
    "a key of an act": (
        HEAD + "interventions:\n  - at: 3\n    act: {entity: town, methode: x}\n", 5, "Did you mean 'method'"
    ),
    "a key of a model": (HEAD + "model: {nam: x}\n", 3, "Did you mean 'name'"),
    # ---- values
    "a name that no folder bears": (f"name: {'b' * 500}\nsimulation: town_day\n", 1, "100 letters or fewer"),
    "more steps than there are": (HEAD + f"steps: {'9' * 30}\n", 3, "1000000000 or less"),
    "a place for nothing": (
        HEAD + "conditions:\n  a: {}\n  b:\n    interventions:\n      - at: 3\n        cell: print(${crowd})\n", 8, "crowd. stands for a parameter"
    ),
    "a name with a space": ("name: two words\nsimulation: town_day\n", 1, "takes a word of letters, digits"),
    "many seeds": (HEAD + "seeds: many\n", 3, "how many there are, 1 or more"),
    "no seeds": (HEAD + "seeds: 0\n", 3, "1 or more"),
    "a seed twice": (HEAD + "seeds: [1, 2, 1]\n", 3, "a seed is here twice"),
    "a seed below zero": (HEAD + "seed: -1\n", 3, "takes 0 or more"),
    "half a step": (HEAD + "steps: 1.5\n", 3, "this is 1.5, and it takes a whole number, 1 or more"),
    "steps as words": (HEAD + "steps: twenty\n", 3, "this is 'twenty', and it takes a whole number"),
    "a condition that gives what a parameter varies": (
        HEAD + "parameters:\n  residents: [2, 4]\nconditions:\n  few: {residents: 3}\n", 5, "few gives 'residents', which is a parameter, too"
    ),
    "a condition that gives an option that a parameter varies": (
        HEAD + "conditions:\n  a: {}\n  b: {options: {step_s: 300}}\nparameters:\n  step_s: [600, 900]\n", 3, "b gives 'step_s'"
    ),
    "no residents": (HEAD + "residents: 0\n", 3, "takes 1 or more"),
    "options as a list": (HEAD + "options: [a]\n", 3, "takes a table of options by name"),
    "an unknown scheduler": (HEAD + "scheduler: Randm\n", 3, "there is no scheduler 'Randm'"),
    "a model without a name": (HEAD + "model: {temperature: 0}\n", 3, "a model needs its name"),
    "a model's key": (HEAD + "model:\n  name: openai/x\n  temprature: 0\n", 3, "Did you mean 'temperature'"),
    "a model with a password": (
        HEAD + "model: {name: openai/x, api_base: 'http://me:pw@example.org'}\n", 3, "holds a name, a password"
    ),
    # ---- interventions
    "no moment": (HEAD + "interventions:\n  - cell: pass\n", 4, "give either at or when"),
    "two moments": (HEAD + "interventions:\n  - {at: 3, when: 'True', cell: pass}\n", 4, "give either at or when"),
    "no deed": (HEAD + "interventions:\n  - at: 3\n", 4, "give one of cell, act and set"),
    "two deeds": (HEAD + "interventions:\n  - {at: 3, cell: pass, set: {town.title: x}}\n", 4, "give one of cell"),
    "a repeated moment": (HEAD + "interventions:\n  - {at: 3, repeat: true, cell: pass}\n", 4, "give when in place of at"),
    "a moment below zero": (HEAD + "interventions:\n  - {at: -3, cell: pass}\n", 4, "0 or more"),
    "a moment as a list": (HEAD + "interventions:\n  - {at: [3], cell: pass}\n", 4, "a moment is a step such as 48"),
    "a cell that is no code": (HEAD + "interventions:\n  - at: 3\n    cell: 'if so:'\n", 5, "the cell cannot be read"),
    "a condition with one =": (HEAD + "interventions:\n  - when: a.b = 3\n    cell: pass\n", 4, "write == in the place of ="),
    "a condition that is no code": (HEAD + "stop: '>>'\n", 3, "cannot be read"),
    # ---- measures, conditions, surveys
    "a measure that is no code": (HEAD + "measures:\n  one: 1\n  two: '1 +'\n", 4, "measures.one|cannot be read"),
    "a measure of no simulation": (HEAD + "measures:\n  one: at work; resting\n", 4, "cannot be read"),
    "a measure called seed": (HEAD + "measures:\n  seed: '1'\n", 3, "is a column of every table"),
    "a measure's key": (HEAD + "measures:\n  one: {value: '1', units: EUR}\n", 4, "Did you mean 'unit'"),
    "no conditions": (HEAD + "conditions: {}\n", 3, "there is no condition here"),
    "a condition with a space": (HEAD + "conditions:\n  no mask: {}\n", 3, "the name of a condition is a word"),
    "a survey of nothing": (HEAD + "surveys:\n  - at: [3]\n", 4, "give either questionnaire or questions"),
    "a survey without a file": (HEAD + "surveys:\n  - at: [3]\n    questionnaire: no.toml\n", 5, "cannot be read as a quest"),
    # ---- parameters
    "bounds without sampling": (HEAD + "parameters:\n  step_s: {low: 1, high: 3}\n", 3, "say how, by sampling"),
    "bounds upside down": (HEAD + "parameters:\n  step_s: {low: 3, high: 1}\n", 4, "low is below high"),
    "half of the bounds": (HEAD + "parameters:\n  step_s: {low: 3}\n", 4, "low and high are both needed"),
    "values and bounds": (HEAD + "parameters:\n  step_s: {values: [1], low: 3, high: 4}\n", 4, "either values"),
    "a value twice": (HEAD + "parameters:\n  step_s: [1, 1]\n", 4, "a value is here twice"),
    "sampling of nothing": (HEAD + "sampling: {method: sobol, points: 8}\n", 3, "there is nothing to sample"),
    "a method of sampling": (
        HEAD + "parameters:\n  step_s: {low: 1, high: 3}\nsampling: {method: sobel, points: 8}\n", 5, "'sobol'"
    ),
    "points for sobol": (
        HEAD + "parameters:\n  step_s: {low: 1, high: 3}\nsampling: {method: sobol, points: 9}\n", 5, "such as 16"
    ),
    "a sample by its short name": (
        HEAD + "parameters:\n  a: {low: 1, high: 3}\nsampling: {method: lhs, points: 8}\n", 5, "write latin_hypercube"
    ),
    "a grid as a sample": (
        HEAD + "parameters:\n  a: {low: 1, high: 3}\nsampling: {method: grid, points: 8}\n", 5, "a list of values"
    ),
    "points for a screening": (
        HEAD + "parameters:\n  a: {low: 1, high: 3}\nsampling: {method: morris, points: 8}\n", 5, "takes size, how many"
    ),
    "a sample without points": (
        HEAD + "parameters:\n  a: {low: 1, high: 3}\nsampling: {method: sobol}\n", 5, "takes points, how many"
    ),
    "a size for saltelli": (
        HEAD + "parameters:\n  a: {low: 1, high: 3}\nsampling: {method: saltelli, size: 9}\n", 5, "such as 16"
    ),
    "three groups of a screening": (
        HEAD + "parameters:\n  a: {low: 1, high: 3}\nsampling: {method: morris, size: 3}\n", 5, "takes 4 or more"
    ),
    "a sample of a seed that is none": (
        HEAD + "parameters:\n  a: {low: 1, high: 3}\nsampling: {method: morris, size: 4, seed: -1}\n", 5, "takes 0 or more"
    ),
    "a place for no parameter": (HEAD + "stop: town.treasury_cents < ${limt}\nparameters:\n  limit: [1]\n", 3, "'limit'"),
    # ---- what a stranger would try
    "a bomb of lists": ("l0: &l0 [a]\n" + bomb("l", "[{}]") + HEAD, None, "at most 20,000 parts"),
    "a bomb of merges": ("l0: &l0 {k: v}\n" + bomb("l", "{{<<: [{}]}}") + HEAD, None, "at most 20,000 parts"),
    "a list within itself": (HEAD + "options: &a {x: [*a]}\n", None, "nested too deeply, or within itself"),
    "a table merged with itself": (HEAD + "options: &a {<<: *a}\n", None, "nested too deeply, or within itself"),
    "a merge of a number": (HEAD + "<<: 3\n", 3, "<< takes over a table"),
    "half a letter": (HEAD + 'question: "\\ud800"\n', 3, "is no str"),
    "a number of 5000 digits": (HEAD + "steps: " + "9" * 5000 + "\n", 3, "so long a text is no int"),
    "a number of 5000 digits in TOML": ("#toml\nsteps = " + "9" * 5000 + "\n", None, "too many digits"),
    "a table of TOML, deep down": ("#toml\n" + ".".join(["a"] * 3000) + " = 1\n", None, "nested too deeply"),
    "a million million seeds": (HEAD + "seeds: 1000000000000\n", 3, "at most 1,000,000 seeds"),
    "a seed of 100 bits": (HEAD + "seeds: [1000000000000000000000000000000]\n", 3, "each of 63 bits"),
    "the seed as an option": (HEAD + "options: {seed: 3}\n", 3, "a scenario says it by its key seed"),
    "a folder as an option": (HEAD + "conditions:\n  a:\n    options: {out: x}\n", 5, "'out' is no option"),
    "a number for not a number": (
        "#toml\nname = 'a'\nsimulation = 'b'\n[parameters.a]\nlow = nan\nhigh = 3\n", 5, "takes a finite number"
    ),
    "bounds too far apart": (HEAD + "parameters: {a: {low: -1.7e308, high: 1.7e308}}\n", 3, "too far apart"),
    "a value that is a table": (HEAD + "parameters: {a: [{b: 1}]}\n", 3, "none that a table can hold"),
    "an empty value": (HEAD + "parameters: {a: ['', x]}\n", 3, "none that a table can hold"),
    "a value that is no number": (HEAD + "parameters: {a: [.nan, 1]}\n", 3, "a finite number, and .nan is none"),
    "values of two kinds": (HEAD + "parameters: {a: [1, b]}\n", 3, "of one kind; these are numbers and texts"),
    "a value twice in a table": (HEAD + "parameters: {a: [1, 1.0]}\n", 3, "a value is here twice, as tables have it"),
    "a text twice in a table": (HEAD + "parameters: {a: ['1', '01']}\n", 3, "a value is here twice, as tables have it"),
    "a measure and a parameter of a name": (
        HEAD + "stop: ${a} > 3\nmeasures: {a: '1'}\nparameters: {a: [1]}\n", 4, "there is a parameter 'a', too"
    ),
    "a measure without a name": (HEAD + "measures: {'': '1'}\n", 3, "the name of a measure is a word"),
    "a condition of 300 letters": (HEAD + "conditions: {" + "a" * 300 + ": {}}\n", 3, "at most 100 letters"),
    "a moment as a word": (HEAD + "interventions:\n  - {at: noon, cell: pass}\n", 4, "or a world time such as"),
    "a moment in a time zone": (
        HEAD + "interventions:\n  - {at: '2012-06-01T08:00+02:00', cell: pass}\n", 4, "has no time zone"
    ),
    "nothing set": (HEAD + "interventions:\n  - {at: 3, set: {}}\n", 4, "takes one thing or more"),
    "an entity set": (HEAD + "interventions:\n  - {at: 3, set: {town: 1}}\n", 4, "is a field of an entity"),
    "code in the place of a field": (
        HEAD + "interventions:\n  - {at: 3, set: {'town.title = 1; x': 1}}\n", 4, "is a field of an entity"
    ),
    "a survey before the start": (HEAD + "surveys: [{at: [-1], questions: [a]}]\n", 3, "takes 0 or more"),
    "an empty question": (HEAD + "surveys: [{at: [1], questions: [' ']}]\n", 3, "takes a text that says something"),
    "two surveys that are one": (
        HEAD + "surveys: [{at: [1, 3], questions: [a]}, {at: [3], questions: [b]}]\n", 3, "one would be lost"
    ),
    "a model's key of a wrong type": (
        HEAD + "model: {name: scripted, timeout_s: abc}\n", 3, "timeout_s: this is 'abc', and it takes a number"
    ),
    "a model's name as a number": (HEAD + "model: {name: 3}\n", 3, "name: this is 3, and it takes a word|a text"),
    "a model's price as a number": (HEAD + "model: {name: scripted, price: 3}\n", 3, "price: this is 3, and it takes a list"),
}  # fmt: skip
