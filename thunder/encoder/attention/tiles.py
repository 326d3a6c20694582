# mypy: ignore-errors
# (Triton's language is not Python's types: a jit function is compiled from its source.)
"""What the fused kernels do inside one tile: load, position terms, skew, visibility, chance.

A tile holds N *own* tokens (rows; they stay with the program) and N *other* tokens (columns; they
go by). The own side is the queries in two kernels and the keys in the third, which therefore
sees all distances mirrored; the arithmetic is the same.

With own tile a and other tile b, distance own - other = (a - b) N + m - n for row m, column n:
one contiguous span. In blocks of N distances, block k holding kN … kN + N - 1, the upper half of
the span is block a - b, used where m >= n, the lower is block a - b - 1, used where m < n; in
both the place inside the block is c = (m - n) mod N. So

* own terms: X_k[m, c] = own_m . table[kN + c] is a plain product; of two blocks each row takes
  columns c <= m of the upper and c > m of the lower (a select, no movement), and one rotation
  of every row puts them in place: out[m, n] = Z[m, (m - n) mod N]. The lower block of this tile
  is the upper of the next, so each product is made once and all its entries are used;
* other terms: the same with the sides swapped, Y_k[c, n], upper where c + n < N, and out[m, n] =
  Z[(m - n) mod N, n]; both blocks are products with the passing tile: half their entries idle;
* going back, the same rotation (it is its own inverse) takes dS[m, n] to dZ[m, c]; a block is
  complete after two neighbouring tiles, then one product each gives the gradients.
"""

import triton
import triton.language as tl


@triton.jit
def load_tile(base, first, stride, limit, N: tl.constexpr, D: tl.constexpr):
    """Rows first … first + N - 1 of a [limit, D] matrix; zeros beyond the limit."""
    row, width = tl.arange(0, N), tl.arange(0, D)
    tile = base + (first + tl.zeros([], tl.int64)) * stride
    inside = row[:, None] < limit - first
    return tl.load(tile + (row[:, None] * stride + width[None, :]), mask=inside, other=0.0)


@triton.jit
def store_tile(base, first, stride, limit, tile, N: tl.constexpr, D: tl.constexpr):
    row, width = tl.arange(0, N), tl.arange(0, D)
    target = base + (first + tl.zeros([], tl.int64)) * stride
    target += row[:, None] * stride + width[None, :]
    tl.store(target, tile.to(base.dtype.element_ty), mask=row[:, None] < limit - first)


@triton.jit
def load_block(table, block, reach, N: tl.constexpr, D: tl.constexpr):
    """The table's rows of distance block *block*; the table begins at block -reach - 1."""
    row, width = tl.arange(0, N), tl.arange(0, D)
    first = table + (block + reach + 1) * N * D
    return tl.load(first + (row[:, None] * D + width[None, :]), cache_modifier=".ca")


@triton.jit
def load_end(table, before, reach, N: tl.constexpr, D: tl.constexpr):
    """The one row that all far distances share: the table's last before, its first after."""
    place = tl.where(before, (2 * reach + 2) * N - 1, 0)
    return tl.load(table + place * D + tl.arange(0, D)).to(tl.float32)


@triton.jit
def load_numbers(base, tile, N: tl.constexpr):
    """One number for each token of a tile; the rows are padded to whole tiles."""
    return tl.load(base + tile * N + tl.arange(0, N))


@triton.jit
def tile_range(start, end, own_tile, reach, N: tl.constexpr):
    """Tiles that the own tokens see: first, first near, past the last near, past the last."""
    first = tl.min(load_numbers(start, own_tile, N), 0) // N
    last = (tl.max(load_numbers(end, own_tile, N), 0) + N - 1) // N
    near = tl.minimum(tl.maximum(first, own_tile - reach), own_tile)
    past = tl.minimum(last, own_tile + reach + 1)
    return first, near, past, last


@triton.jit
def dot(left, right, EXACT: tl.constexpr):
    """EXACT: 0 as they are, 1 float32 by three tf32 products, 2 widened (for the interpreter)."""
    if EXACT == 2:
        return tl.dot(left.to(tl.float32), right.to(tl.float32), input_precision="ieee")
    if EXACT == 1:
        return tl.dot(left, right, input_precision="tf32x3")
    return tl.dot(left, right)


@triton.jit
def turned(tile, zero, N: tl.constexpr):
    """out[m, n] = tile[m, (m - n) mod N]; turned twice, the tile is itself again.

    Even and odd columns apart: in a row, all even outputs come from columns of one parity, so
    each output is one exchange inside a warp (N = 64: 32 columns, 32 lanes) and no choice.
    *zero* is 0, but the compiler must not know: it would keep the places of the first turn in
    registers for the second, and spill what it needs between them.
    """
    even, odd = tl.split(tl.reshape(tile, [N, N // 2, 2]))
    row = tl.arange(0, N)[:, None] + zero
    column = tl.arange(0, N // 2)[None, :]
    odd_row = (row & 1) == 1
    to_even = tl.gather(tl.where(odd_row, odd, even), ((row >> 1) - column) & (N // 2 - 1), 1)
    to_odd = tl.gather(tl.where(odd_row, even, odd), (((row - 1) >> 1) - column) & (N // 2 - 1), 1)
    return tl.reshape(tl.join(to_even, to_odd), [N, N])


@triton.jit
def turned_back(tile, N: tl.constexpr):
    """out[n, m] = tile[n, (m - n) mod N]."""
    even, odd = tl.split(tl.reshape(tile, [N, N // 2, 2]))
    row = tl.arange(0, N)[:, None]
    column = tl.arange(0, N // 2)[None, :]
    odd_row = (row & 1) == 1
    to_even = tl.gather(tl.where(odd_row, odd, even), (column - ((row + 1) >> 1)) & (N // 2 - 1), 1)
    to_odd = tl.gather(tl.where(odd_row, even, odd), (column - (row >> 1)) & (N // 2 - 1), 1)
    return tl.reshape(tl.join(to_even, to_odd), [N, N])


@triton.jit
def packed(tile, N: tl.constexpr, EXACT: tl.constexpr):
    """The tile with two 16-bit numbers to a register (it would take one each); float32 as it is."""
    if EXACT == 1:
        return tile
    else:
        even, odd = tl.split(tl.reshape(tile, [N, N // 2, 2]))
        low = even.to(tl.int16, bitcast=True).to(tl.int32) & 0xFFFF
        return low | (odd.to(tl.int16, bitcast=True).to(tl.int32) << 16)


@triton.jit
def unpacked(tile, like, N: tl.constexpr, EXACT: tl.constexpr):
    """What was `packed`, in the type of *like*."""
    if EXACT == 1:
        return tile
    else:
        even = (tile & 0xFFFF).to(tl.int16).to(like.dtype, bitcast=True)
        odd = (tile >> 16).to(tl.int16).to(like.dtype, bitcast=True)
        return tl.reshape(tl.join(even, odd), [N, N])


@triton.jit
def own_terms(upper, lower, N: tl.constexpr):
    """[m, n] own terms from the products with two neighbouring blocks."""
    place = tl.arange(0, N)
    mixed = tl.where(place[None, :] <= place[:, None], upper, lower)
    return turned(mixed, 0, N).to(tl.float32)


@triton.jit
def own_product(own, table, block, reach, N: tl.constexpr, D: tl.constexpr, EXACT: tl.constexpr):
    """[m, c] products of the own tokens with one block of distances, in the tokens' type."""
    rows = load_block(table, block, reach, N, D)
    return dot(own, tl.trans(rows), EXACT).to(own.dtype)


@triton.jit
def other_terms(upper_rows, lower_rows, other, N: tl.constexpr, EXACT: tl.constexpr):
    """[m, n] other terms from the rows of two neighbouring blocks and the passing tokens."""
    place = tl.arange(0, N)
    upper = dot(other, tl.trans(upper_rows), EXACT).to(other.dtype)
    lower = dot(other, tl.trans(lower_rows), EXACT).to(other.dtype)
    mixed = tl.where(place[:, None] + place[None, :] < N, upper, lower)
    return tl.trans(turned_back(mixed, N)).to(tl.float32)


@triton.jit
def finished(now, kept, zero, N: tl.constexpr):
    """[m, c] gradients of the upper block: this tile's part and the one before it kept."""
    place = tl.arange(0, N)
    return tl.where(place[None, :] <= place[:, None] + zero, now, kept)


@triton.jit
def visible(own_document, other_document):
    same = own_document[:, None] == other_document[None, :]
    return same & (own_document[:, None] > 0)


@triton.jit
def kept_share(seed, pair, query, key, limit, dropout):
    """1 / (1 - dropout) where a weight stays, 0 where it is dropped: a function of its place."""
    chance = tl.rand(seed + pair, query * limit + key)
    return tl.where(chance >= dropout, 1.0 / (1.0 - dropout), 0.0)
