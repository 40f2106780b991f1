# SPDX-License-Identifier: Apache-2.0
"""A layered layout of a directed graph (Sugiyama et al., 1981): edges lead down, few cross."""

GAP_X, GAP_Y = 24, 56  # between nodes, in pixels


def layout(widths, heights, edges):
    """Places the nodes of a graph.

    Args:
        widths: The nodes' widths in pixels, a list.
        heights: The nodes' heights in pixels, a list.
        edges: Pairs (from, to) of numbers of nodes. There may be cycles.

    Returns:
        A tuple: the places of nodes, a list of (x, y) of their centres; a dict: edge -> the points
        that its line goes through; and the (width, height) of the whole.
    """
    edges = sorted({(a, b) for a, b in edges if a != b})
    down = _without_cycles(len(widths), edges)
    rank = _ranks(len(widths), down)
    chains, members, sizes = _with_bends(down, rank, widths, heights)
    order = _ordered(members, chains)
    x = _columns(order, chains, sizes)
    y, total = _rows(order, sizes)
    left = min((x[n] - sizes[n][0] / 2 for row in order for n in row), default=0)
    right = max((x[n] - left + sizes[n][0] / 2 for row in order for n in row), default=0)
    places = [(x[n] - left, y[rank[n]]) for n in range(len(widths))]
    lines = {}
    for (a, b), chain in chains.items():
        points = [(x[n] - left, y[r]) for n, r in chain]
        lines[a, b] = points
        lines[b, a] = points[::-1]
    return places, {edge: lines[edge] for edge in edges}, (right, total)


def _without_cycles(count, edges):
    """The edges, turned round where they lead back."""
    after = [[] for _ in range(count)]
    for a, b in edges:
        after[a].append(b)
    state, back = [0] * count, set()
    for start in range(count):
        if state[start]:
            continue
        state[start], stack = 1, [(start, iter(after[start]))]
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = 2
                stack.pop()
            elif state[following] == 1:
                back.add((node, following))
            elif not state[following]:
                state[following] = 1
                stack.append((following, iter(after[following])))
    return sorted({(b, a) if (a, b) in back else (a, b) for a, b in edges})


def _ranks(count, edges):
    """The row of each node: below all before it; what starts is close above what takes it."""
    before, after = [[] for _ in range(count)], [[] for _ in range(count)]
    for a, b in edges:
        before[b].append(a)
        after[a].append(b)
    missing = [len(b) for b in before]
    ready, rank = [n for n in range(count) if not missing[n]], [0] * count
    for node in ready:
        for following in after[node]:
            rank[following] = max(rank[following], rank[node] + 1)
            missing[following] -= 1
            if not missing[following]:
                ready.append(following)
    for node in reversed(ready):
        if not before[node] and after[node]:
            rank[node] = min(rank[n] for n in after[node]) - 1
    return rank


def _with_bends(edges, rank, widths, heights):
    """Edges over several rows as chains of nodes, one in each row; the nodes of each row; sizes."""
    sizes = dict(enumerate(zip(widths, heights)))
    members = [[] for _ in range(max(rank, default=0) + 1)]
    for node, row in enumerate(rank):
        members[row].append(node)
    chains = {}
    for a, b in edges:
        chain = [(a, rank[a])]
        for row in range(rank[a] + 1, rank[b]):
            bend = ("bend", a, b, row)
            sizes[bend] = (2, 2)
            members[row].append(bend)
            chain.append((bend, row))
        chains[a, b] = [*chain, (b, rank[b])]
    return chains, members, sizes


def _neighbours(chains):
    above, below = {}, {}
    for chain in chains.values():
        for (a, _), (b, _) in zip(chain, chain[1:]):
            below.setdefault(a, []).append(b)
            above.setdefault(b, []).append(a)
    return above, below


def _ordered(members, chains, sweeps=8):
    """Each row in an order with few crossings: by the mean place of neighbours."""
    above, below = _neighbours(chains)
    rows = [list(row) for row in members]
    place = {n: i for row in rows for i, n in enumerate(row)}
    for sweep in range(sweeps):
        near = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            means = {n: _mean([place[m] for m in near.get(n, ())], place[n]) for n in row}
            row.sort(key=means.get)
            place.update({n: i for i, n in enumerate(row)})
    return rows


def _mean(values, otherwise):
    return sum(values) / len(values) if values else otherwise


def _columns(order, chains, sizes, sweeps=24):
    """The x of every node: near its neighbours, without overlaps."""
    above, below = _neighbours(chains)
    x = {}
    for row in order:
        at = 0.0
        for node in row:
            x[node] = at + sizes[node][0] / 2
            at += sizes[node][0] + GAP_X
        for node in row:
            x[node] -= (at - GAP_X) / 2
    for sweep in range(sweeps):
        near = above if sweep % 2 == 0 else below
        for row in order if sweep % 2 == 0 else reversed(order):
            wanted = [_mean([x[m] for m in near.get(n, ())], x[n]) for n in row]
            _spread(row, wanted, x, sizes)
    return x


def _spread(row, wanted, x, sizes):
    """Moves the nodes of a row to where they are wanted, as far as they keep their distance.

    Nodes that would overlap become a block, which stands where its members want it on average.
    """
    blocks = []  # [sum of wanted starts, members, width]
    for node, want in zip(row, wanted):
        width = sizes[node][0] + GAP_X
        blocks.append([want - sizes[node][0] / 2, [node], width])
        while len(blocks) > 1 and _start(blocks[-2]) + blocks[-2][2] > _start(blocks[-1]):
            total, nodes, wide = blocks.pop()
            last = blocks[-1]
            last[0] += total - last[2] * len(nodes)
            last[1] += nodes
            last[2] += wide
    for block in blocks:
        at = _start(block)
        for node in block[1]:
            x[node] = at + sizes[node][0] / 2
            at += sizes[node][0] + GAP_X


def _start(block):
    return block[0] / len(block[1])


def _rows(order, sizes):
    """The y of every row's centre, and the height of all."""
    centres, at = [], 0.0
    for row in order:
        height = max((sizes[n][1] for n in row), default=0)
        centres.append(at + height / 2)
        at += height + GAP_Y
    return centres, max(at - GAP_Y, 0)
