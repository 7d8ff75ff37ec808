// Who knows of a piece of news and from whom, from what was saved in this page: as dashboards/lookups/news.py finds it in a journal.
const TAKEN_IN = ["heard", "plan"], SUGGESTED = 6, TEXT_SHOWN = 240, NAMED = /(?<![\w.])[a-z]+(?:_[a-z0-9]+)+(?![\w(]|\.\w)/g;

export function news({ talk, entities }, { text = "", source = "", step }) {
  const passed = talk.contacts.filter(([, , shown]) => shown <= step).map(([turn, when, , from, to, said]) => ({ turn, step: when, from, to, text: talk.texts[said] }));
  const people = Object.values(entities).filter(({ came, gone, fields }) => came <= step && (gone === null || gone > step) && TAKEN_IN.some((field) => field in fields)).length;
  const told = { text, source, step, people, tree: [], could: 0, suggested: [], until: talk.until, cut: talk.cut };
  const ways = text.split(",").map((each) => each.trim().toLowerCase()).filter(Boolean);
  if (!ways.length && !source) {
    const names = Object.keys(entities).flatMap((name) => name.toLowerCase().split("_"));
    return { ...told, suggested: suggested(passed, new Set([...names, ...talk.common])) };
  }
  const noted = talk.notes.filter(([, , shown]) => shown <= step).map(([, when, , who, said]) => ({ turn: null, step: when, from: who, to: who, text: talk.texts[said] }));
  const rows = ways.length ? byWords(passed, noted, ways) : byProvenance(passed, source);
  const tree = inOrder(rows).map((row) => ({ ...row, title: entities[row.name]?.title ?? row.name, text: row.text.replace(NAMED, (name) => entities[name]?.title ?? name) }));
  const could = reached(passed, source ? [source] : tree.filter(({ parent }) => parent === null).map(({ name }) => name));
  return { ...told, tree, could: [...could.keys()].filter((name) => !rows.has(name)).length };
}

const row = (name, parent, { turn, step }, text) => ({ name, parent, step, turn: turn || null, text: [...text].slice(0, TEXT_SHOWN).join(""), told: 0, again: 0 });

// Who has heard it in these words, by whoever told them first.
function byWords(passed, noted, ways) {
  const rows = new Map(), finds = (text) => ways.some((way) => text.toLowerCase().includes(way));
  for (const contact of passed) {
    const { from, to, text } = contact;
    if (!text || !finds(text)) continue;
    if (!rows.has(from)) rows.set(from, row(from, null, contact, ""));
    rows.get(from).told += 1;
    if (rows.has(to)) rows.get(to).again += 1; else rows.set(to, row(to, from, contact, text));
  }
  for (const note of noted) if (!rows.has(note.to) && finds(note.text)) rows.set(note.to, row(note.to, null, note, ""));
  return rows;
}

// Whom word can have reached from somebody, by the contact by which it first can have.
function byProvenance(passed, source) {
  const rows = new Map([[source, row(source, null, { turn: 0, step: 0 }, "")]]);
  for (const [name, contact] of reached(passed, [source])) {
    rows.set(name, row(name, contact.from, contact, contact.text || "(read it)"));
    rows.get(contact.from).told += 1;
  }
  return rows;
}

function reached(passed, sources) {
  const knows = new Set(sources), found = new Map();
  for (const contact of passed) {
    if (!knows.has(contact.from) || knows.has(contact.to)) continue;
    knows.add(contact.to);
    found.set(contact.to, contact);
  }
  return found;
}

// Rows as a tree is read: each below whoever they have it from, with how deep.
function inOrder(rows) {
  const below = new Map(), read = [];
  for (const each of rows.values()) below.set(each.parent, [...(below.get(each.parent) ?? []), each]);
  const waiting = (below.get(null) ?? []).map((each) => [each, 0]).reverse();
  while (waiting.length) {
    const [each, depth] = waiting.pop();
    read.push({ ...each, depth });
    for (const child of [...(below.get(each.name) ?? [])].reverse()) waiting.push([child, depth + 1]);
  }
  return read;
}

// Words that got round: those that many have from others, and few say without having heard them. A greeting is no news, nor is a name, or a common word.
function suggested(passed, others) {
  const words = new Map();
  for (const { text, from, to } of passed) for (const word of new Set([...text.matchAll(/\p{L}{4,}/gu)].map(([each]) => each.toLowerCase()))) {
    const told = words.get(word) ?? { word, know: new Set(), began: 0 };
    if (!told.know.has(from)) told.began += 1;
    told.know.add(from).add(to);
    words.set(word, told);
  }
  const heard = [...words.values()].map(({ word, know, began }) => ({ word, many: know.size - began, began })).filter(({ word, many, began }) => many > Math.max(1, began) && !others.has(word));
  return heard.sort((one, other) => other.many / other.began - one.many / one.began || other.many - one.many || other.word.length - one.word.length || (one.word < other.word ? -1 : 1)).slice(0, SUGGESTED).map(({ word }) => word);
}
