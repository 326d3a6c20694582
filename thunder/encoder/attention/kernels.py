# mypy: ignore-errors
# (Triton's language is not Python's types: a jit function is compiled from its source.)
"""The three fused kernels: forward, gradients by query, gradients by key.

Online softmax over key tiles (FlashAttention-2); the position terms of a tile come from dense
products with the tile's span of distances, skewed inside the tile (see `tiles`). Tiles beyond
*reach* blocks have one row for all their distances: there the term is one number per token.
Tiles outside the documents of the own tokens are never visited. No atomics: every program adds
its position gradients to a buffer of its own, so that results are the same in every run.

Arithmetic (not measured), in products of N x N x D per tile: forward 5 (q.k, p.v, 1 own, 2 other
blocks), query kernel 8, key kernel 9: 22 where the formula of `benchmarks/attention.py` counts 12
useful ones at S = R. At N = D = 64 one is 524 kFLOP, 128 cycles of an H100's tensor cores; forward
is then 640 cycles of products, 256 of exponentials, 512 of moving the two terms (64 exchanges a
warp), and reads 40 KiB (keys, values, three blocks of positions): no c2p or p2c touches memory.

What the compiler says (sm_90a, Triton 3.6 and 3.9, D = 64, bfloat16;
`benchmarks/compiled_kernels.py` prints it):
tl.gather over 64 columns becomes 2 exchanges a number; by even and odd columns (`tiles.turned`) 1.
Hoisting of loop invariants (places, masks) spilled 450 to 1,300 bytes a thread, so disable_licm.
With eight warps forward spills 0 bytes, query 136, key 504 (four warps: 56, 544, 968); shared
memory is 112, 48 and 48 KiB of 227. The spills of the backward kernels are the first thing to
look at on a GPU. 16-bit terms are rounded to the inputs' type before the skew, as transformers
rounds all its terms.

Memory: nothing grows with the square of the length. Shapes: B rows, S tokens, H heads, D width,
W distances (2 reach + 2 blocks of N), P programs.
"""

import triton
import triton.language as tl

from thunder.encoder.attention.tiles import (
    dot,
    finished,
    kept_share,
    load_block,
    load_end,
    load_numbers,
    load_tile,
    other_terms,
    own_product,
    own_terms,
    packed,
    store_tile,
    tile_range,
    turned,
    unpacked,
    visible,
)


@triton.jit
def _softmax_step(
    scores, values, best, total, context, seen, chance, CHANCE: tl.constexpr, EXACT: tl.constexpr
):
    scores = tl.where(seen, scores, float("-inf"))
    better = tl.maximum(best, tl.max(scores, 1))
    share = tl.exp2(scores - better[:, None])
    fade = tl.exp2(best - better)
    total = total * fade + tl.sum(share, 1)
    if CHANCE:
        share = share * chance
    context = context * fade[:, None] + dot(share.to(values.dtype), values, EXACT)
    return better, total, context


@triton.jit
def _far_forward(
    first, past, before, own, own_document, own_place, key_base, value_base, document_base,
    own_table, other_table, best, total, context,
    s_key, s_value, limit, reach, scale, seed, pair, dropout,
    N: tl.constexpr, D: tl.constexpr, CHANCE: tl.constexpr, EXACT: tl.constexpr,
):  # fmt: skip
    own_far = tl.sum(own.to(tl.float32) * load_end(own_table, before, reach, N, D)[None, :], 1)
    other_row = load_end(other_table, before, reach, N, D)
    for tile in tl.range(first, past, disable_licm=True):
        place = tile * N + tl.arange(0, N)
        other = load_tile(key_base, tile * N, s_key, limit, N, D)
        document = load_numbers(document_base, tile, N)
        scores = dot(own, tl.trans(other), EXACT) + own_far[:, None]
        scores += tl.sum(other.to(tl.float32) * other_row[None, :], 1)[None, :]
        chance = 1.0
        if CHANCE:
            chance = kept_share(seed, pair, own_place[:, None], place[None, :], limit, dropout)
        values = load_tile(value_base, tile * N, s_value, limit, N, D)
        best, total, context = _softmax_step(
            scores * scale, values, best, total, context, visible(own_document, document),
            chance, CHANCE, EXACT,
        )  # fmt: skip
    return best, total, context


@triton.jit
def forward_kernel(
    QUERY, KEY, VALUE, OWN_TABLE, OTHER_TABLE, DOCUMENTS, START, END, SEED, CONTEXT, LSE,
    q_b, q_h, q_s, k_b, k_h, k_s, v_b, v_h, v_s, o_b, o_h, o_s,
    heads, limit, reach, scale, dropout,
    N: tl.constexpr, D: tl.constexpr, FAR: tl.constexpr, CHANCE: tl.constexpr, EXACT: tl.constexpr,
):  # fmt: skip
    """Context and log2-sum-exp2 of one tile of queries."""
    own_tile, pair = tl.program_id(0), tl.program_id(1)
    row, head = (pair // heads).to(tl.int64), (pair % heads).to(tl.int64)
    own_place = own_tile * N + tl.arange(0, N)
    padded = tl.num_programs(0) * N
    first, near, past, last = tile_range(
        START + row * padded, END + row * padded, own_tile, reach, N
    )
    seed = tl.load(SEED)
    key_base, value_base = KEY + row * k_b + head * k_h, VALUE + row * v_b + head * v_h
    own_table = OWN_TABLE + head * (2 * reach + 2) * N * D
    other_table = OTHER_TABLE + head * (2 * reach + 2) * N * D
    document_base = DOCUMENTS + row * padded
    own = load_tile(QUERY + row * q_b + head * q_h, own_tile * N, q_s, limit, N, D)
    own_document = load_numbers(document_base, own_tile, N)
    best = tl.full([N], -1.0e30, tl.float32)
    total = tl.zeros([N], tl.float32)
    context = tl.zeros([N, D], tl.float32)
    if FAR:
        best, total, context = _far_forward(
            first, near, True, own, own_document, own_place, key_base, value_base, document_base,
            own_table, other_table, best, total, context,
            k_s, v_s, limit, reach, scale, seed, pair, dropout, N, D, CHANCE, EXACT,
        )  # fmt: skip
    upper = packed(own_product(own, own_table, own_tile - near, reach, N, D, EXACT), N, EXACT)
    for tile in tl.range(near, past, disable_licm=True):
        place = tile * N + tl.arange(0, N)
        block = own_tile - tile
        other = load_tile(key_base, tile * N, k_s, limit, N, D)
        document = load_numbers(document_base, tile, N)
        upper_rows = load_block(other_table, block, reach, N, D)
        lower_rows = load_block(other_table, block - 1, reach, N, D)
        scores = other_terms(upper_rows, lower_rows, other, N, EXACT)
        scores += dot(own, tl.trans(other), EXACT)
        lower = own_product(own, own_table, block - 1, reach, N, D, EXACT)
        scores += own_terms(unpacked(upper, own, N, EXACT), lower, N)
        chance = 1.0
        if CHANCE:
            chance = kept_share(seed, pair, own_place[:, None], place[None, :], limit, dropout)
        values = load_tile(value_base, tile * N, v_s, limit, N, D)
        best, total, context = _softmax_step(
            scores * scale, values, best, total, context, visible(own_document, document),
            chance, CHANCE, EXACT,
        )  # fmt: skip
        upper = packed(lower, N, EXACT)
    if FAR:
        best, total, context = _far_forward(
            past, last, False, own, own_document, own_place, key_base, value_base, document_base,
            own_table, other_table, best, total, context,
            k_s, v_s, limit, reach, scale, seed, pair, dropout, N, D, CHANCE, EXACT,
        )  # fmt: skip
    safe = tl.where(total > 0, total, 1.0)
    context = context / safe[:, None]
    context_base = CONTEXT + row * o_b + head * o_h
    store_tile(context_base, own_tile * N, o_s, limit, context, N, D)
    lse = tl.where(total > 0, best + tl.log2(safe), float("inf"))
    tl.store(LSE + pair.to(tl.int64) * padded + own_place, lse)


@triton.jit
def _query_step(scores, other, values, gradient, lse, delta, seen, chance, EXACT: tl.constexpr):
    """dS of one tile, own = queries (without the score's scale)."""
    share = tl.where(seen, tl.exp2(scores - lse[:, None]), 0.0)
    pull = dot(gradient, tl.trans(values), EXACT)
    return share * (pull * chance - delta[:, None])


@triton.jit
def _query_far(
    first, past, before, own, gradient, lse, delta, own_document, own_place,
    key_base, value_base, document_base, own_table, other_table, own_gradient, buffer,
    s_key, s_value, limit, reach, scale, seed, pair, dropout,
    N: tl.constexpr, D: tl.constexpr, CHANCE: tl.constexpr, EXACT: tl.constexpr,
):  # fmt: skip
    own_row = load_end(own_table, before, reach, N, D)
    other_row = load_end(other_table, before, reach, N, D)
    own_far = tl.sum(own.to(tl.float32) * own_row[None, :], 1)
    summed = tl.zeros([N], tl.float32)
    for tile in tl.range(first, past, disable_licm=True):
        place = tile * N + tl.arange(0, N)
        other = load_tile(key_base, tile * N, s_key, limit, N, D)
        values = load_tile(value_base, tile * N, s_value, limit, N, D)
        document = load_numbers(document_base, tile, N)
        scores = dot(own, tl.trans(other), EXACT) + own_far[:, None]
        scores += tl.sum(other.to(tl.float32) * other_row[None, :], 1)[None, :]
        chance = 1.0
        if CHANCE:
            chance = kept_share(seed, pair, own_place[:, None], place[None, :], limit, dropout)
        slope = _query_step(
            scores * scale, other, values, gradient, lse, delta,
            visible(own_document, document), chance, EXACT,
        )  # fmt: skip
        own_gradient += dot(slope.to(other.dtype), other, EXACT)
        summed += tl.sum(slope, 1)
    own_gradient += summed[:, None] * own_row[None, :]
    end = buffer + tl.where(before, (2 * reach + 2) * N - 1, 0) * D + tl.arange(0, D)
    tl.store(end, tl.load(end) + tl.sum(summed[:, None] * own.to(tl.float32), 0))
    return own_gradient


@triton.jit(do_not_specialize=["zero"])
def query_kernel(
    QUERY, KEY, VALUE, OWN_TABLE, OTHER_TABLE, DOCUMENTS, START, END, SEED, CONTEXT, GRADIENT,
    LSE, DELTA, D_QUERY, BUFFER,
    q_b, q_h, q_s, k_b, k_h, k_s, v_b, v_h, v_s, o_b, o_h, o_s, g_b, g_h, g_s, dq_b, dq_h, dq_s,
    rows, heads, limit, reach, zero, scale, plain_scale, dropout,
    N: tl.constexpr, D: tl.constexpr, FAR: tl.constexpr, CHANCE: tl.constexpr, EXACT: tl.constexpr,
):  # fmt: skip
    """Gradients of one tile of queries, and its part of the position keys', over some rows."""
    own_tile, head, slot = tl.program_id(0), tl.program_id(1).to(tl.int64), tl.program_id(2)
    own_place = own_tile * N + tl.arange(0, N)
    padded = tl.num_programs(0) * N
    own_table = OWN_TABLE + head * (2 * reach + 2) * N * D
    other_table = OTHER_TABLE + head * (2 * reach + 2) * N * D
    program = (slot * heads + head) * tl.num_programs(0) + own_tile
    buffer = BUFFER + program * (2 * reach + 2) * N * D
    inside_block = tl.arange(0, N)[:, None] * D + tl.arange(0, D)[None, :]
    seed = tl.load(SEED)
    for row_number in tl.range(slot, rows, tl.num_programs(2), disable_licm=True):
        row = row_number + tl.zeros([], tl.int64)
        pair = row_number * heads + tl.program_id(1)
        first, near, past, last = tile_range(
            START + row * padded, END + row * padded, own_tile, reach, N
        )
        key_base, value_base = KEY + row * k_b + head * k_h, VALUE + row * v_b + head * v_h
        document_base = DOCUMENTS + row * padded
        own = load_tile(QUERY + row * q_b + head * q_h, own_tile * N, q_s, limit, N, D)
        gradient = load_tile(GRADIENT + row * g_b + head * g_h, own_tile * N, g_s, limit, N, D)
        context = load_tile(CONTEXT + row * o_b + head * o_h, own_tile * N, o_s, limit, N, D)
        delta = tl.sum(gradient.to(tl.float32) * context.to(tl.float32), 1)
        tl.store(DELTA + pair.to(tl.int64) * padded + own_place, delta)
        lse = load_numbers(LSE + pair.to(tl.int64) * padded, own_tile, N)
        own_document = load_numbers(document_base, own_tile, N)
        own_gradient = tl.zeros([N, D], tl.float32)
        if FAR:
            own_gradient = _query_far(
                first, near, True, own, gradient, lse, delta, own_document, own_place,
                key_base, value_base, document_base, own_table, other_table, own_gradient, buffer,
                k_s, v_s, limit, reach, scale, seed, pair, dropout, N, D, CHANCE, EXACT,
            )  # fmt: skip
        upper = packed(own_product(own, own_table, own_tile - near, reach, N, D, EXACT), N, EXACT)
        kept = packed(tl.zeros([N, N], own.dtype), N, EXACT)
        for tile in tl.range(near, past, disable_licm=True):
            place = tile * N + tl.arange(0, N)
            block = own_tile - tile
            other = load_tile(key_base, tile * N, k_s, limit, N, D)
            values = load_tile(value_base, tile * N, v_s, limit, N, D)
            document = load_numbers(document_base, tile, N)
            upper_rows = load_block(other_table, block, reach, N, D)
            lower_rows = load_block(other_table, block - 1, reach, N, D)
            scores = other_terms(upper_rows, lower_rows, other, N, EXACT)
            scores += dot(own, tl.trans(other), EXACT)
            lower = own_product(own, own_table, block - 1, reach, N, D, EXACT)
            scores += own_terms(unpacked(upper, own, N, EXACT), lower, N)
            chance = 1.0
            if CHANCE:
                chance = kept_share(seed, pair, own_place[:, None], place[None, :], limit, dropout)
            slope = _query_step(
                scores * scale, other, values, gradient, lse, delta,
                visible(own_document, document), chance, EXACT,
            )  # fmt: skip
            own_gradient += dot(slope.to(other.dtype), other, EXACT)
            now = turned(slope.to(own.dtype), zero, N)
            whole = finished(now, unpacked(kept, own, N, EXACT), zero, N)
            own_gradient += dot(whole, load_block(own_table, block, reach, N, D), EXACT)
            target = buffer + (block + reach + 1) * N * D + inside_block
            tl.store(target, tl.load(target) + dot(tl.trans(whole), own, EXACT))
            kept = packed(now, N, EXACT)
            upper = packed(lower, N, EXACT)
        if past > near:
            whole = finished(tl.zeros([N, N], own.dtype), unpacked(kept, own, N, EXACT), zero, N)
            own_gradient += dot(whole, load_block(own_table, own_tile - past, reach, N, D), EXACT)
            target = buffer + (own_tile - past + reach + 1) * N * D + inside_block
            tl.store(target, tl.load(target) + dot(tl.trans(whole), own, EXACT))
        if FAR:
            own_gradient = _query_far(
                past, last, False, own, gradient, lse, delta, own_document, own_place,
                key_base, value_base, document_base, own_table, other_table, own_gradient, buffer,
                k_s, v_s, limit, reach, scale, seed, pair, dropout, N, D, CHANCE, EXACT,
            )  # fmt: skip
        query_gradient = D_QUERY + row * dq_b + head * dq_h
        store_tile(query_gradient, own_tile * N, dq_s, limit, own_gradient * plain_scale, N, D)


@triton.jit
def _key_far(
    first, past, before, own, own_values, own_document, own_place,
    query_base, gradient_base, lse_base, delta_base, document_base, own_table, other_table,
    own_gradient, value_gradient, buffer,
    s_query, s_gradient, limit, reach, scale, seed, pair, dropout,
    N: tl.constexpr, D: tl.constexpr, CHANCE: tl.constexpr, EXACT: tl.constexpr,
):  # fmt: skip
    own_row = load_end(own_table, before, reach, N, D)
    other_row = load_end(other_table, before, reach, N, D)
    own_far = tl.sum(own.to(tl.float32) * own_row[None, :], 1)
    summed = tl.zeros([N], tl.float32)
    for tile in tl.range(first, past, disable_licm=True):
        place = tile * N + tl.arange(0, N)
        other = load_tile(query_base, tile * N, s_query, limit, N, D)
        gradient = load_tile(gradient_base, tile * N, s_gradient, limit, N, D)
        document = load_numbers(document_base, tile, N)
        lse = load_numbers(lse_base, tile, N)
        delta = load_numbers(delta_base, tile, N)
        scores = dot(own, tl.trans(other), EXACT) + own_far[:, None]
        scores += tl.sum(other.to(tl.float32) * other_row[None, :], 1)[None, :]
        seen = visible(own_document, document)
        share = tl.where(seen, tl.exp2(scores * scale - lse[None, :]), 0.0)
        chance = 1.0
        if CHANCE:
            chance = kept_share(seed, pair, place[None, :], own_place[:, None], limit, dropout)
        value_gradient += dot((share * chance).to(gradient.dtype), gradient, EXACT)
        pull = dot(own_values, tl.trans(gradient), EXACT)
        slope = share * (pull * chance - delta[None, :])
        own_gradient += dot(slope.to(other.dtype), other, EXACT)
        summed += tl.sum(slope, 1)
    own_gradient += summed[:, None] * own_row[None, :]
    end = buffer + tl.where(before, (2 * reach + 2) * N - 1, 0) * D + tl.arange(0, D)
    tl.store(end, tl.load(end) + tl.sum(summed[:, None] * own.to(tl.float32), 0))
    return own_gradient, value_gradient


@triton.jit(do_not_specialize=["zero"])
def key_kernel(
    QUERY, KEY, VALUE, OWN_TABLE, OTHER_TABLE, DOCUMENTS, START, END, SEED, GRADIENT,
    LSE, DELTA, D_KEY, D_VALUE, BUFFER,
    q_b, q_h, q_s, k_b, k_h, k_s, v_b, v_h, v_s, g_b, g_h, g_s, dk_b, dk_h, dk_s,
    dv_b, dv_h, dv_s, rows, heads, limit, reach, zero, scale, plain_scale, dropout,
    N: tl.constexpr, D: tl.constexpr, FAR: tl.constexpr, CHANCE: tl.constexpr, EXACT: tl.constexpr,
):  # fmt: skip
    """Gradients of one tile of keys and values, and its part of the position queries'."""
    own_tile, head, slot = tl.program_id(0), tl.program_id(1).to(tl.int64), tl.program_id(2)
    own_place = own_tile * N + tl.arange(0, N)
    padded = tl.num_programs(0) * N
    own_table = OWN_TABLE + head * (2 * reach + 2) * N * D
    other_table = OTHER_TABLE + head * (2 * reach + 2) * N * D
    program = (slot * heads + head) * tl.num_programs(0) + own_tile
    buffer = BUFFER + program * (2 * reach + 2) * N * D
    inside_block = tl.arange(0, N)[:, None] * D + tl.arange(0, D)[None, :]
    seed = tl.load(SEED)
    for row_number in tl.range(slot, rows, tl.num_programs(2), disable_licm=True):
        row = row_number + tl.zeros([], tl.int64)
        pair = row_number * heads + tl.program_id(1)
        first, near, past, last = tile_range(
            START + row * padded, END + row * padded, own_tile, reach, N
        )
        query_base = QUERY + row * q_b + head * q_h
        gradient_base = GRADIENT + row * g_b + head * g_h
        lse_base, delta_base = LSE + pair.to(tl.int64) * padded, DELTA + pair.to(tl.int64) * padded
        document_base = DOCUMENTS + row * padded
        own = load_tile(KEY + row * k_b + head * k_h, own_tile * N, k_s, limit, N, D)
        own_values = load_tile(VALUE + row * v_b + head * v_h, own_tile * N, v_s, limit, N, D)
        own_document = load_numbers(document_base, own_tile, N)
        own_gradient = tl.zeros([N, D], tl.float32)
        value_gradient = tl.zeros([N, D], tl.float32)
        if FAR:
            own_gradient, value_gradient = _key_far(
                first, near, True, own, own_values, own_document, own_place, query_base,
                gradient_base, lse_base, delta_base, document_base, own_table, other_table,
                own_gradient, value_gradient, buffer,
                q_s, g_s, limit, reach, scale, seed, pair, dropout, N, D, CHANCE, EXACT,
            )  # fmt: skip
        upper = packed(own_product(own, own_table, own_tile - near, reach, N, D, EXACT), N, EXACT)
        kept = packed(tl.zeros([N, N], own.dtype), N, EXACT)
        for tile in tl.range(near, past, disable_licm=True):
            place = tile * N + tl.arange(0, N)
            block = own_tile - tile
            other = load_tile(query_base, tile * N, q_s, limit, N, D)
            gradient = load_tile(gradient_base, tile * N, g_s, limit, N, D)
            document = load_numbers(document_base, tile, N)
            lse = load_numbers(lse_base, tile, N)
            delta = load_numbers(delta_base, tile, N)
            upper_rows = load_block(other_table, block, reach, N, D)
            lower_rows = load_block(other_table, block - 1, reach, N, D)
            scores = other_terms(upper_rows, lower_rows, other, N, EXACT)
            scores += dot(own, tl.trans(other), EXACT)
            lower = own_product(own, own_table, block - 1, reach, N, D, EXACT)
            scores += own_terms(unpacked(upper, own, N, EXACT), lower, N)
            seen = visible(own_document, document)
            share = tl.where(seen, tl.exp2(scores * scale - lse[None, :]), 0.0)
            chance = 1.0
            if CHANCE:
                chance = kept_share(seed, pair, place[None, :], own_place[:, None], limit, dropout)
            value_gradient += dot((share * chance).to(gradient.dtype), gradient, EXACT)
            pull = dot(own_values, tl.trans(gradient), EXACT)
            slope = share * (pull * chance - delta[None, :])
            own_gradient += dot(slope.to(other.dtype), other, EXACT)
            now = turned(slope.to(own.dtype), zero, N)
            whole = finished(now, unpacked(kept, own, N, EXACT), zero, N)
            own_gradient += dot(whole, load_block(own_table, block, reach, N, D), EXACT)
            target = buffer + (block + reach + 1) * N * D + inside_block
            tl.store(target, tl.load(target) + dot(tl.trans(whole), own, EXACT))
            kept = packed(now, N, EXACT)
            upper = packed(lower, N, EXACT)
        if past > near:
            whole = finished(tl.zeros([N, N], own.dtype), unpacked(kept, own, N, EXACT), zero, N)
            own_gradient += dot(whole, load_block(own_table, own_tile - past, reach, N, D), EXACT)
            target = buffer + (own_tile - past + reach + 1) * N * D + inside_block
            tl.store(target, tl.load(target) + dot(tl.trans(whole), own, EXACT))
        if FAR:
            own_gradient, value_gradient = _key_far(
                past, last, False, own, own_values, own_document, own_place, query_base,
                gradient_base, lse_base, delta_base, document_base, own_table, other_table,
                own_gradient, value_gradient, buffer,
                q_s, g_s, limit, reach, scale, seed, pair, dropout, N, D, CHANCE, EXACT,
            )  # fmt: skip
        key_gradient = D_KEY + row * dk_b + head * dk_h
        store_tile(key_gradient, own_tile * N, dk_s, limit, own_gradient * plain_scale, N, D)
        store_tile(
            D_VALUE + row * dv_b + head * dv_h, own_tile * N, dv_s, limit, value_gradient, N, D
        )
