"""What many variables at once are judged by: each clause by the value and the type that it leaves, and no other one."""

import pytest

from tests.experiment.fed_judges import misjudged, task_of

NAMES = {"10_variables_2": 0, "10_variables_5": 0}
"""Conversation -> which of its turns; the two have clauses about each type between them."""
RIGHT = {
    "10_variables_2": {  # brand = 'amber house', hours + 5, rent + 25 %, slogan + '-hazel', stock + 13
        "in one line each": "",
        "by functions": "brand = 'amber house'\n"
        "hours = dict(map(lambda item: (item[0], item[1] + 5), hours.items()))\n"
        "rent = rent + 0.25 * rent\nslogan = f'{slogan}-hazel'\nstock = {k: stock[k] + 13 for k in sorted(stock)}",
        "in place": "brand = ' '.join(['amber', 'house'])\nfor k in hours:\n    hours[k] += 5\n"
        "rent = rent * 125 / 100\n"
        "slogan = '-'.join([slogan, 'hazel'])\nfor k in list(stock):\n    stock.update({k: stock[k] + 13})",
        "by numpy": "import numpy as np\nbrand = str(np.str_('amber house'))\nrent = np.float64(rent) * 1.25\n"
        "slogan = slogan + '-hazel'\nhours = {k: np.int64(v) + 5 for k, v in hours.items()}\n"
        "stock = dict(zip(stock, (np.array(list(stock.values())) + 13).tolist()))",
        "in cells": ["brand = 'amber house'", "hours = {k: v + 5 for k, v in hours.items()}", "rent *= 1.25",
                     "slogan += '-hazel'", "stock = {k: v + 13 for k, v in stock.items()}"],
        "with variables of its own": "by = {'hours': 5, 'stock': 13}\n"
        "hours = {k: v + by['hours'] for k, v in hours.items()}\n"
        "stock = {k: v + by['stock'] for k, v in stock.items()}\n"
        "brand, slogan = 'amber house', slogan + '-hazel'\n"
        "rent = round(rent * 1.25, 4)",
    },
    "10_variables_5": {  # hours['amber'] = 5, rent + 2.5, scores + [30], staff // 7, stock + 8
        "in one line each": "",
        "otherwise": "hours |= {'amber': 5}\nrent = sum([rent, 2.5])\nscores = [*scores, 30]\nstaff = int(staff / 7)\n"
        "stock = {k: sum((v, 8)) for k, v in stock.items()}",
        "by the library": "import math\nfrom collections import Counter\nhours.update(amber=5)\n"
        "rent = math.fsum([rent, 2.5])\nscores.extend([30])\nstaff = divmod(staff, 7)[0]\n"
        "stock = dict(Counter(stock) + Counter(dict.fromkeys(stock, 8)))",
    },
}  # fmt: skip
WRONG = {
    "10_variables_2": {
        "a text in another case": "brand = 'Amber house'",
        "a text with a space more": "brand = brand + ' '",
        "a text with a letter less": "brand = brand[:-1]",
        "a text in quotes": "brand = repr(brand)",
        "a text in a list": "brand = [brand]",
        "a text as bytes": "brand = brand.encode()",
        "a text that was not put behind": "slogan = '-hazel' + slogan.removesuffix('-hazel')",
        "a text put behind twice": "slogan += '-hazel'",
        "a fraction slightly off": "rent += 0.001",
        "a fraction that is rounded": "rent = round(rent, 2)",
        "a fraction as a whole number": "rent = int(rent)",
        "a fraction as a text": "rent = str(rent)",
        "a fraction of half the precision": "import numpy as np\nrent = np.float32(rent)",
        "a fraction as a decimal": "from decimal import Decimal\nrent = Decimal(rent)",
        "a number in place of a percentage": "rent = rent / 1.25 + 25",
        "a value of a dict one off": "hours['hazel'] += 1",
        "values of a dict as fractions": "hours = {k: float(v) for k, v in hours.items()}",
        "values of a dict as texts": "hours = {k: str(v) for k, v in hours.items()}",
        "a key less": "del hours['cobalt']",
        "a key more": "hours['amber'] = 5",
        "a key in another case": "hours['Hazel'] = hours.pop('hazel')",
        "a dict as pairs": "hours = list(hours.items())",
        "a dict as its values": "hours = list(hours.values())",
        "a dict that sorts": "from collections import OrderedDict\nhours = OrderedDict(hours)",
        "a dict with defaults": "from collections import defaultdict\nhours = defaultdict(int, hours)",
        "a dict that counts": "from collections import Counter\nhours = Counter(hours)",
        "a dict as a series": "import pandas as pd\nhours = pd.Series(hours)",
        "values of two dicts swapped": "hours, stock = stock, hours",
        "one that was not named": "staff += 1",
        "a list that was not named": "queue.append(1)",
        "the order of a list that was not named": "scores.reverse()",
        "a dict that two names share": "stock = hours",
        "nothing at all": "del brand",
        "none": "brand = None",
    },
    "10_variables_5": {
        "a whole number as a fraction": "staff = float(staff)",
        "a whole number with a remainder": "staff = 31 / 7",
        "a whole number rounded up": "staff = -(-31 // 7)",
        "a whole number as a text": "staff = str(staff)",
        "a whole number as a truth": "staff = bool(staff)",
        "a whole number of few bits": "import numpy as np\nstaff = np.int32(staff)",
        "the remainder": "staff = 31 % 7",
        "a list as a tuple": "scores = tuple(scores)",
        "a list as a set": "scores = set(scores)",
        "a list as an array": "import numpy as np\nscores = np.array(scores)",
        "a list as a text": "scores = str(scores)",
        "a list in a list": "scores = [*scores[:-1], [30]]",
        "an item twice": "scores.append(30)",
        "an item at the front": "scores = [scores[-1], *scores[:-1]]",
        "an item less": "scores = scores[1:]",
        "sorted": "scores.sort()",
        "an item as a fraction": "scores[-1] = 30.0",
        "an item as a text": "scores[-1] = '30'",
        "a key under which its number is added": "hours['amber'] = 24",
        "a fraction from which it was taken": "rent -= 5",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_many_variables_are_judged_by_their_values_and_their_types(name):
    number = NAMES[name]
    (cell,) = task_of("multi_variable", name).queries[number].cells("cave")
    right = {case: done or cell for case, done in RIGHT[name].items()}
    wrong = {case: f"{cell}\n{more}" for case, more in WRONG[name].items()}
    wrong |= {f"not done: {line}": cell.replace(line, "pass") for line in cell.splitlines()}
    assert misjudged("multi_variable", (name, number), right, wrong) == {}


def test_what_an_earlier_turn_made_of_a_variable_counts_in_a_later_one():
    """``hours`` was raised by 5 and is raised by 7; ``slogan`` was added to and is set."""
    (cell,) = task_of("multi_variable", "10_variables_2").queries[1].cells("cave")
    anew = {
        "from what it was at first": f"{cell}\nhours = {{'hazel': 17, 'cobalt': 24}}",
        "with what was to be replaced": f"{cell}\nslogan = 'amber-hazel basil house'",
        "what is left alone as it was at first": f"{cell}\nstock = {{'delta': 20, 'ember': 13}}",
        "a text as it was at first": f"{cell}\nbrand = 'amber'",
    }
    assert misjudged("multi_variable", ("10_variables_2", 1), {"as it is": cell}, anew) == {}
