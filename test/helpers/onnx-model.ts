// Writes ONNX files by hand: a table of vectors, one a token. The fields are those of onnx.proto3.
type Field = readonly [number: number, value: number | string | Uint8Array]

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 128)
  }
}

/** A protobuf message: numbers as varints, everything else with its length. */
function message(...fields: readonly Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)])
    const bytes = Buffer.from(value as Uint8Array)
    return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes])
  })
  return Buffer.concat(parts)
}

const float = 1
const int64 = 7
const input = (name: string, type: number, dims: readonly string[]) =>
  message(
    [1, name],
    [2, message([1, message([1, type], [2, message(...dims.map(dim => [1, message([2, dim])] as const))])])]
  )

/** A model whose `last_hidden_state` holds row n of `vectors` where `input_ids` holds n. */
export function tableModel(vectors: readonly Float32Array[]): Uint8Array {
  const width = vectors[0]?.length ?? 0
  const rows = Buffer.concat(vectors.map(row => Buffer.from(row.buffer, row.byteOffset, row.byteLength)))
  const table = message([1, vectors.length], [1, width], [2, float], [8, 'table'], [9, rows])
  const gather = message([1, 'table'], [1, 'input_ids'], [2, 'last_hidden_state'], [4, 'Gather'])
  const graph = message(
    [1, gather],
    [2, 'test'],
    [5, table],
    [11, input('input_ids', int64, ['batch', 'length'])],
    [11, input('attention_mask', int64, ['batch', 'length'])],
    [12, input('last_hidden_state', float, ['batch', 'length', 'width'])]
  )
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])])
}
