"""What code that runs unguarded in a cell's process tries: each entry is Python, as it would run there.

``world`` is that process's copy of the world; ``said`` is what the process sends instead of an honest proposal.
"""

# ruff: noqa: E501 -- an attack is one line

REACHING = {
    "read a file": "open('/etc/passwd').read()",
    "read its own library": "open(__import__('os').__file__).read()",
    "write a file": "open('escaped', 'w').write('x')",
    "list a folder": "__import__('os').listdir('/')",
    "look for a file": "assert __import__('os').access('/etc/passwd', 0)",
    "read the memory of others": "open(f'/proc/{__import__(\"os\").getppid()}/mem', 'rb').read(1)",
    "read the environment of others": "open(f'/proc/{__import__(\"os\").getppid()}/environ', 'rb').read(1)",
    "read its own map": "open('/proc/self/maps').read()",
    "open a socket": "__import__('socket').socket()",
    "open a local socket": "__import__('socket').socket(__import__('socket').AF_UNIX)",
    "make a pair of sockets": "__import__('socket').socketpair()",
    "fork": "__import__('os').fork() or __import__('time').sleep(60)",
    "start a thread": "__import__('threading').Thread(target=print).start()",
    "run a program": "__import__('os').execv('/bin/sh', ['sh', '-c', 'touch escaped'])",
    "run a shell": "__import__('os').system('touch escaped')",
    "start a process": "__import__('subprocess').run(['touch', 'escaped'])",
    "kill the world": "__import__('os').kill(__import__('os').getppid(), 9)",
    "stop the world": "__import__('os').kill(__import__('os').getppid(), 19)",
    "kill everybody": "__import__('os').kill(-1, 9)",
    "kill its group": "__import__('os').killpg(0, 9)",
    "become another user": "__import__('os').setuid(0)",
    "raise its limits": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "trace the world": "import ctypes, os; ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)",
    "be dumpable again": "import ctypes; ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)",
    "outlive its parent": "import ctypes; ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)",
    "make memory executable": "import mmap; mmap.mmap(-1, 4096, prot=7)",
    "share memory": "import multiprocessing.shared_memory as s; s.SharedMemory(create=True, size=10)",
    "make an anonymous file": "__import__('os').memfd_create('x')",
    "open a terminal": "__import__('pty').openpty()",
    "mount": "import ctypes; assert ctypes.CDLL(None).mount(b'x', b'/', b'tmpfs', 0, 0) == -1; 1 / 0",
    "import what was not there": "import antigravity",
    "use another table of system calls": "import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 57)",
    "write where others read": "__import__('os').write(1, b'x')",
    "go on after hanging up": "import os, time; os.closerange(0, 100)\nwhile True: time.sleep(1)",
}
"""What reaches outside: it ends in an error or in the end of the process, and nothing of it is kept."""

ENDING = {
    "exit": "__import__('os')._exit(0)",
    "exit with a word": "__import__('os').write(3, b'{}'); __import__('os')._exit(0)",
    "abort": "__import__('os').abort()",
    "crash": "import ctypes; ctypes.string_at(0)",
    "hang in C": "sum(range(10 ** 14))",
    "hang deaf": "import signal; signal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass",
    "sleep": "import time; time.sleep(60)",
    "fill memory": "held = bytearray(1 << 40)",
    "fill memory slowly": "held = []\nwhile True: held.append(bytearray(1 << 24))",
    "recurse in C": "import ctypes, sys; sys.setrecursionlimit(10 ** 9)\ndef f(): f()\nf()",
    "flood": "import os\nfor fd in range(3, 64):\n    try:\n        while True: os.write(fd, b'x' * 65536)\n    except OSError: pass",
}
"""What ends the process, or will not end."""

LIES = {
    "nothing": "said = b''",
    "no JSON": "said = b'\\x80\\x04K\\x01.'",
    "half a message": "said = honest(world, 'me.mood = 0.1', agent)[:-5]",
    "two messages": "said = honest(world, '1', agent) * 2",
    "a deep message": "said = b'[' * 100_000",
    "another shape": "said = b'{\"turn\": 1}'",
    "more than there is": "said = encode({'turn': turn(), 'claimed': None, 'variables': {}, 'more': 1})",
    "a status of its own": "said = claim(('ann', ('mood',), 'set', 0.5, 0.7), status='conflict')",
    "somebody else's field": "said = claim(('bob', ('mood',), 'set', 0.5, 0.7))",
    "a vault": "said = claim(('vault', ('treasury_cents',), 'set', 100_000, 0))",
    "its own guarded field": "said = claim(('ann', ('money_cents',), 'set', 1000, 10 ** 9))",
    "part of somebody's list": "said = claim(('bob', ('notes',), 'splice', {'at': 0, 'items': []}, {'at': 0, 'items': ['x']}))",
    "part of somebody's dict": "said = claim(('shop', ('stock', 'bread'), 'set', 5, 500))",
    "part of somebody's set": "said = claim(('bob', ('tags', 'x'), 'add', None, None))",
    "part of somebody's graph": "said = claim(('vault', ('streets', 'node', 'z'), 'set', None, {}))",
    "somebody's array": "said = claim(('vault', ('grid',), 'patch', None, {'at': [0], 'old': [0], 'new': [9]}))",
    "the clock": "said = claim(('$system', ('step',), 'set', 0, 99))",
    "its own grants": "said = claim(('$system', ('grants', 'ann'), 'set', None, ['*']))",
    "an event": "said = claim(('$system', ('events', '1'), 'set', None, {'due_s': 0, 'entity': 'vault', 'method': 'x'}))",
    "a newcomer": "said = claim(('eve', (), 'create', None, {'type': 'Vault', 'fields': {}}))",
    "a departure": "said = claim(('vault', (), 'remove', None, None))",
    "no field": "said = claim(('ann', ('halo',), 'set', None, 1))",
    "an inner field": "said = claim(('ann', ('_name',), 'set', 'ann', 'bob'))",
    "a method": "said = claim(('ann', ('cheer',), 'set', None, 1))",
    "no entity": "said = claim(('nobody', ('mood',), 'set', 0.5, 0.7))",
    "no operation": "said = claim(('ann', ('mood',), 'become', 0.5, 0.7))",
    "beyond a bound": "said = claim(('ann', ('mood',), 'set', 0.5, 7.0))",
    "not a number": "said = encode(claim(('ann', ('mood',), 'set', 0.5, 0.125))).replace(b'0.125', b'NaN')",
    "infinity": "said = encode(claim(('ann', ('mood',), 'set', 0.5, 0.125))).replace(b'0.125', b'1e999')",
    "a truth for a number": "said = claim(('ann', ('mood',), 'set', 0.5, True))",
    "a text for a number": "said = claim(('ann', ('counts', 'walks'), 'set', 2, 'many'))",
    "a number for a text": "said = claim(('ann', ('plan',), 'set', '', 5))",
    "a giant": "said = claim(('ann', ('plan',), 'set', '', 'x' * 300_000))",
    "a giant tree": "said = claim(('ann', ('memory',), 'set', None, [[0] * 100] * 1000))",
    "a deep tree": "said = encode(claim(('ann', ('memory',), 'set', None, 'HERE'))).replace(b'\"HERE\"', b'[' * 500 + b']' * 500)",
    "a giant integer": "said = encode(claim(('ann', ('memory',), 'set', None, 7654321))).replace(b'7654321', b'9' * 4000)",
    "an array of objects": "said = claim(('ann', ('grid',), 'set', None, {'dtype': '|O', 'shape': [1], 'base64': 'AAAAAAAAAAA='}))",
    "an array of another shape": "said = claim(('ann', ('grid',), 'set', None, {'dtype': '<f8', 'shape': [9, 9], 'base64': ''}))",
    "an array far outside": "said = claim(('ann', ('grid',), 'patch', None, {'at': [10 ** 9], 'old': [0], 'new': [9]}))",
    "a reference to nobody": "said = claim(('ann', ('friends',), 'set', [], [{'$ref': 'nobody'}]))",
    "a reference to the wrong kind": "said = claim(('ann', ('friends',), 'set', [], [{'$ref': 'vault'}]))",
    "a splice outside": "said = claim(('ann', ('notes',), 'splice', {'at': 99, 'items': []}, {'at': 99, 'items': ['x']}))",
    "a splice backwards": "said = claim(('ann', ('notes',), 'splice', {'at': -1, 'items': []}, {'at': -1, 'items': ['x']}))",
    "a splice without items": "said = claim(('ann', ('notes',), 'splice', None, None))",
    "a key that is no key": "said = claim(('ann', ('counts', ['a']), 'set', None, 1))",
    "too many changes": "said = claim(*[('ann', ('counts', str(n)), 'set', None, n) for n in range(20_000)])",
    "to be bob": "said = claim(('bob', ('mood',), 'set', 0.5, 0.7), agent='bob')",
    "to be bob, inside": "said = Proposal(turn(turn(Writes([('bob', ('mood',), 'set', 0.5, 0.7)]), agent='bob')), [('bob', ('mood',), 'set', 0.5, 0.7)], {})",
    "to be the operator, inside": "said = Proposal(turn(turn(Writes([('vault', ('grid',), 'patch', None, {'at': [0], 'old': [0], 'new': [9]})]), agent='operator')), None, {})",
    "variables of bob": "said = claim(variables={'bob': {'secret': [9]}})",
    "variables of nobody": "said = claim(variables={'nobody': {'x': 1}})",
    "other builtins": "said = claim(variables={'ann': {'__builtins__': {}}})",
    "itself as a variable": "said = claim(variables={'ann': {'me': {'$ref': 'bob'}}})",
    "a variable that no cell can spell": "said = claim(variables={'ann': {'a b': 1}})",
    "a deed of bob's": "said = Proposal(turn(Call('vault', '_revert', ['grid', None], {})), [], {})",
    "a method that is none": "said = Proposal(turn(Call('ann', '__init__', [], {})), [], {})",
    "a tool that is none": "said = Proposal(turn(Call(None, 'print', ['x'], {})), [], {})",
    "what a method did": "said = Proposal(turn(Call('shop', 'buy', [{'$ref': 'ann'}, 'bread'], {})), [('ann', ('money_cents',), 'set', 1000, 999)], {})",
    "what a method did, in part": "said = Proposal(turn(Call('shop', 'buy', [{'$ref': 'ann'}, 'bread'], {})), [], {})",
    "the clock's own method": "said = Proposal(turn(Call('$system', 'apply', [], {})), [], {})",
    "the clock as an argument": "said = Proposal(turn(Call('shop', 'look_up', [{'$ref': '$system'}], {})), [], {})",
    "the grants as an argument": "said = Proposal(turn(Call('shop', 'look_up', [{'$at': ['$system', 'grants']}], {})), [], {})",
    "a call that claims nothing": "said = Proposal(turn(Call('shop', 'look_up', ['bread'], {})), None, {})",
    "an error of what landed": "said = Proposal(turn(error='x'), None, {})",
    "a failure without an error": "said = Proposal(turn(status='failed'), None, {})",
    "acts of what failed": "said = Proposal(turn(Writes([('ann', ('mood',), 'set', 0.5, 0.7)]), status='failed', error='x'), None, {})",
    "a failure of bob's": "said = Proposal(turn(turn(agent='bob', status='failed', error='x', code='vault.rob()'), status='failed', error='x'), None, {})",
    "a failure of the operator's, in what landed": "said = Proposal(turn(turn(agent='operator', status='failed', error='x')), None, {})",
    "an object as an argument": "said = Proposal(turn(Call('shop', 'look_up', [{'$object': ['P', {}]}], {})), [], {})",
    "code as an argument": "said = Proposal(turn(Call('shop', 'look_up', [{'$name': ['print']}], {})), [], {})",
}
"""What is said falsely: nothing of it is kept, and it counts against the agent."""

TOOLS = {
    "the mayor's tool": "said = Proposal(turn(Call(None, 'mayor.mint', [{'$ref': 'ann'}, 500_000], {})), [('ann', ('money_cents',), 'set', 1000, 501_000)], {})",
    "the mayor's tool, for bob": "said = Proposal(turn(Call(None, 'mayor.mint', [{'$ref': 'bob'}, 5], {})), [('bob', ('money_cents',), 'set', 1000, 1005)], {})",
    "the mayor's tool, without a claim": "said = Proposal(turn(Call(None, 'mayor.mint', [{'$ref': 'ann'}, 5], {})), None, {})",
    "the mayor's tool, said to do nothing": "said = Proposal(turn(Call(None, 'mayor.mint', [{'$ref': 'ann'}, 5], {})), [], {})",
    "the mayor's tool, inside": "said = Proposal(turn(turn(Call(None, 'mayor.mint', [{'$ref': 'ann'}, 5], {}))), [('ann', ('money_cents',), 'set', 1000, 1005)], {})",
    "the mayor's tool, as the mayor": "said = Proposal(turn(turn(Call(None, 'mayor.mint', [{'$ref': 'ann'}, 5], {}), agent='mayor')), [('ann', ('money_cents',), 'set', 1000, 1005)], {})",
    "the mayor's tool, with names": "said = Proposal(turn(Call(None, 'mayor.mint', [], {'who': {'$ref': 'ann'}, 'cents': 5})), [('ann', ('money_cents',), 'set', 1000, 1005)], {})",
    "the mayor's tool, that fails": "said = Proposal(turn(Call(None, 'mayor.mint', [], {})), [], {})",
    "the mayor's tool as everybody's": "said = Proposal(turn(Call(None, 'mint', [{'$ref': 'ann'}, 5], {})), [('ann', ('money_cents',), 'set', 1000, 1005)], {})",
    "the mayor's tool as nobody's": "said = Proposal(turn(Call(None, '.mint', [{'$ref': 'ann'}, 5], {})), [('ann', ('money_cents',), 'set', 1000, 1005)], {})",
    "the mayor's tool as its own": "said = Proposal(turn(Call(None, 'ann.mint', [{'$ref': 'ann'}, 5], {})), [('ann', ('money_cents',), 'set', 1000, 1005)], {})",
    "the mayor's tool after a word of its own": "said = Proposal(turn(Writes([('ann', ('mood',), 'set', 0.5, 0.7)]), Call(None, 'mayor.mint', [{'$ref': 'ann'}, 5], {})), [('ann', ('mood',), 'set', 0.5, 0.7), ('ann', ('money_cents',), 'set', 1000, 1005)], {})",
    "a function of bob's": "said = Proposal(turn(Call(None, 'bob.mine', [], {})), [], {})",
}
"""What somebody else was given."""

NESTED = """
said = turn(Writes([('ann', ('mood',), 'set', 0.5, 0.7)]))
for _ in range({depth}):
    said = turn(said, agent={agent!r})
said = Proposal(said, None, {{}})
"""
FLAT = """
import json
empty = {{'turn': {{'type': 'turn', 'agent': 'ann', 'code': '', 'status': 'committed', 'acts': []}}, 'claimed': [], 'variables': {{}}}}
acts = ','.join([json.dumps({act})] * {count})
said = json.dumps(empty).replace('"acts": []', '"acts": [' + acts + ']').encode()
"""
FAILED = "{'type': 'turn', 'agent': 'ann', 'code': '', 'status': 'failed', 'error': 'x'}"
EMPTY = "{'type': 'writes', 'changes': []}"
DEEP = "said = encode(Proposal(turn(), None, {{'ann': {{'bound': {{'x': 'HERE'}}, 'gone': [], 'lost': []}}}})).replace(b'\"HERE\"', {data})"
SHARED = """
heap = {{'0': {{{tag!r}: []}}}}
heap |= {{str(n): {{{tag!r}: [{{'$see': str(n - 1)}}] * 2}} for n in range(1, 60)}}
said = Proposal(turn(Call({entity!r}, {method!r}, [{{'$heap': heap, 'value': {value}}}], {{}})), [], {{}})
"""
TOP = "{'$see': '59'}"
SHAPES = {
    "a key that holds itself twice, sixty times": SHARED.format(
        tag="$tuple", entity="shop", method="look_up", value=f"{{'$items': [[{TOP}, 1]]}}"
    ),
    "an item of a set, likewise": SHARED.format(
        tag="$tuple", entity="shop", method="look_up", value=f"{{'$set': [{TOP}]}}"
    ),
    "an item of a frozen set, likewise": SHARED.format(
        tag="$tuple", entity="shop", method="look_up", value=f"{{'$frozenset': [{TOP}]}}"
    ),
    "what a tool is handed, likewise": SHARED.format(tag="$tuple", entity=None, method="weather_of", value=TOP),
    "a list longer than data may be, for a tool": "said = Proposal(turn(Call(None, 'weather_of', [[0] * 1_000_001], {})), [], {})",
    "more failures inside than can be entered": FLAT.format(act=FAILED, count=10_001),
    **{
        f"{depth} turns inside each other": NESTED.format(depth=depth, agent="ann")
        for depth in (17, 30, 50, 100, 150, 200, 300)
    },
    "200 turns of bob's inside each other": NESTED.format(depth=200, agent="bob"),
    "a deep failure": NESTED.format(depth=150, agent="ann")
    .replace("{'ann'", "")
    .replace("agent='ann'", "agent='ann', status='failed', error='x'"),
    "more failures than there may be": FLAT.format(act=FAILED, count=200_001),
    "more writes than there may be": FLAT.format(act=EMPTY, count=200_001),
    "a deep list as a variable": DEEP.format(data="b'[' * 900 + b']' * 900"),
    "a deeper list as a variable": DEEP.format(data="b'[' * 5_000_000 + b']' * 5_000_000"),
    "a deep dict as a variable": DEEP.format(data="b'{\"a\":' * 900 + b'1' + b'}' * 900"),
    "a deep list that hides in a text": DEEP.format(data="b'[\"]]]]\\\\\",' * 900 + b'1' + b']' * 900"),
    "a deep argument": "said = encode(Proposal(turn(Call('shop', 'look_up', ['HERE'], {})), [], {})).replace(b'\"HERE\"', b'[' * 600 + b']' * 600)",
}
"""What is nested too deeply, or too much."""

GUARDS = (
    "_tick_",
    "_write_",
    "_power_",
    "_calm_",
    "_fatal_",
    "_attr_",
    "_set_",
    "_show_",
    "_x_",
    "__import__",
    "__name__",
    "_init_",
    "None",
    "class",
)
NAMES = {
    "more variables than a cell can name": "said = claim(variables={'ann': {f'v{n}': n for n in range(20_001)}})",
    "a variable of a name longer than a cell": "said = claim(variables={'ann': {'v' * 20_001: 1}})",
}
NAMES |= {f"a variable called {name}": f"said = claim(variables={{'ann': {{{name!r}: 1}}}})" for name in GUARDS}
NAMES |= {
    f"a loss called {name}": f"said = Proposal(turn(), None, {{'ann': {{'bound': {{}}, 'gone': [], 'lost': [{name!r}]}}}})"
    for name in GUARDS[:3]
}
"""Names that no cell can bind, because what its code runs in is found by them."""

SLOW = {
    "forged calls": FLAT.format(
        act="{'type': 'call', 'entity': 'shop', 'method': 'look_up', 'args': ['bread'], 'kwargs': {}}", count=150_000
    ),
    "forged failing calls": FLAT.format(
        act="{'type': 'call', 'entity': 'shop', 'method': 'look_up', 'args': [], 'kwargs': {}}", count=150_000
    ),
    "forged writes": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['plan'], 'set', '', 'x']]}", count=150_000
    ),
    "forged writes back and forth": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['memory'], 'set', None, [[0] * 9]], ['ann', ['memory'], 'set', None, None]]}",
        count=70_000,
    ),
    "a forged list that is filled and emptied": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['notes'], 'set', [], ['x'] * 50], ['ann', ['notes'], 'set', [], []]]}",
        count=40_000,
    ),
    "forged splices": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['notes'], 'splice', {'at': 0, 'items': []}, {'at': 0, 'items': ['x']}]]}",
        count=90_000,
    ),
    "forged keys": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['counts', 'a'], 'set', None, 1], ['ann', ['counts', 'a'], 'delete', 1, None]]}",
        count=90_000,
    ),
    "forged items of a set": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['tags', 'a'], 'add', None, None], ['ann', ['tags', 'a'], 'discard', None, None]]}",
        count=90_000,
    ),
    "forged edges": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['map', 'edge', 0, 9], 'set', None, {}], ['ann', ['map', 'edge', 0, 9], 'delete', {}, None]]}",
        count=80_000,
    ),
    "forged patches of an array": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['grid'], 'patch', None, {'at': [0], 'old': [0], 'new': [9]}]]}",
        count=90_000,
    ),
    "forged references": FLAT.format(
        act="{'type': 'writes', 'changes': [['ann', ['friends'], 'set', [], [{'$ref': 'bob'}, {'$ref': 'mayor'}]], ['ann', ['friends'], 'set', [], []]]}",
        count=60_000,
    ),
    "a forged set whose hashes collide": "said = Proposal(turn(Call('shop', 'look_up', [{'$set': [n * (2 ** 61 - 1) for n in range(60_000)]}], {})), [], {})",
    "forged keys whose hashes collide": "said = Proposal(turn(Call('shop', 'look_up', [{'$items': [[n * (2 ** 61 - 1), 0] for n in range(60_000)]}], {})), [], {})",
    "forged calls of a tool": FLAT.format(
        act="{'type': 'call', 'entity': None, 'method': 'weather_of', 'args': [1], 'kwargs': {}}", count=150_000
    ),
}
"""What would take far longer than a turn may, if all of it were done again."""
