// What a name that is being written may become: entities of the run, their fields, and the methods that cells call.
const ALWAYS = ["me", "world", "team", "print", "len"], NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u, WRITTEN = /(?<![\p{L}\p{N}_.])(?:([\p{L}_][\p{L}\p{N}_]*)\.)?([\p{L}_][\p{L}\p{N}_]*)?$/u;

// The part of a name that stands before the caret, and the names that begin with it.
export function offers(before, { entities, fields, methods }, agent) {
  const [, owner, part = ""] = before.match(WRITTEN) ?? [];
  if (!owner && !part) return { part, names: [] };
  const types = new Map(entities), type = types.get(owner === "me" ? agent : owner), of = (known) => (Object.hasOwn(known, type) ? known[type] : []);
  const all = owner ? [...Object.keys(of(fields)), ...of(methods)] : [...types.keys(), ...ALWAYS];
  return { part, names: [...new Set(all)].filter((name) => name.startsWith(part) && NAME.test(name)).sort() };
}

// The letters that all names share.
export function shared(names) {
  let most = names[0] ?? "";
  for (const name of names) while (!name.startsWith(most)) most = most.slice(0, -1);
  return most;
}
