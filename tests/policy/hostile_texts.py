"""Hostile cells that read where something lies in memory out of texts that libraries make of it."""

PAGES = {
    "places in memory told by libraries": """
me.plan = np.array([len, print], dtype=str)[0][20:]

me.plan = np.array([lambda: 1]).astype(str)[0][12:]

me.plan = np.array([lambda: 1]).astype("U30")[0].replace(" at 0", "")

texts = np.array(["x" * 60])
texts[0] = lambda: 1
me.plan = texts[0][14:]

texts = np.array(["x" * 60])
texts[:], other = [print], 1
me.plan = texts[0][14:]

texts = np.array(["x" * 60])
for texts[0] in [lambda: 1]:
    me.plan = texts[0][14:]

import operator
texts = np.array(["x" * 60])
operator.setitem(texts, 0, lambda: 1)
me.plan = texts[0][14:]

texts = np.array(["x" * 60])
texts.fill(lambda: 1)
me.plan = texts[0][14:]

me.plan = np.full_like(np.array(["x" * 60]), print)[0][14:]

me.plan = np.str_(lambda: 1)[14:]

me.plan = np.array2string(np.array([lambda: 1]))[14:]

me.plan = np.fromiter([lambda: 1], dtype="U60")[0][14:]

me.plan = pd.Series([lambda: 1], dtype=str)[0][14:]

me.plan = pd.Series([[lambda: 1]]).astype("string")[0][14:]

me.plan = pd.DataFrame({"a": [lambda: 1]}).astype(str).a[0][14:]

me.plan = pd.Series([lambda: 1]).astype("category").astype(str)[0][14:]

me.plan = pd.array([lambda: 1], dtype=str)[0][14:]

me.plan = pd.Series([lambda: 1]).to_numpy(dtype=str)[0][14:]

me.plan = pd.DataFrame({"a": [1]}).add_prefix(lambda: 1).columns[0][14:]

me.plan = pd.Series([1]).add_suffix(print).index[0][14:]

me.plan = pd.get_dummies(pd.Series([lambda: 1]), prefix="a").columns[0][14:]

me.plan = pd.json_normalize([{"a": {print: 1}}]).columns[0][14:]

one = pd.DataFrame({"k": [1], "b": [2]})
me.plan = one.merge(one, on="k", suffixes=("", print)).columns[-1][14:]

one = pd.DataFrame({"k": [1], "b": [2]})
me.plan = one.join(one, lsuffix=print).columns[0][14:]

texts = np.array(["x" * 80])
np.concatenate([np.array([lambda: 1], dtype=object)], out=texts, casting="unsafe")
me.plan = texts[0][14:]

table = pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([(print, 1)]))
me.plan = table.add_prefix(lambda: 1).columns[0][0][14:]
""",
}
