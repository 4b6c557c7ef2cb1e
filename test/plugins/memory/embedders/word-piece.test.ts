import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createWordPiece } from '../../../../plugins/memory/embedders/word-piece.ts'

const pieces = '[PAD] [UNK] [CLS] [SEP] un ##aff ##able cafe , . ! run ##ning 深 学 Café'.split(' ')
const vocabulary = new Map(pieces.map((piece, id) => [piece, id]))
const uncased = createWordPiece({ vocabulary, isUncased: true })
const cased = createWordPiece({ vocabulary, isUncased: false })
const shown = (ids: readonly number[]) => ids.map(id => pieces[id]).join(' ')

describe('word pieces', () => {
  for (const [text, expected] of [
    ['unaffable', '[CLS] un ##aff ##able [SEP]'],
    ['  Running,\trunning!', '[CLS] run ##ning , run ##ning ! [SEP]'],
    ['Café.', '[CLS] cafe . [SEP]'],
    ['深学', '[CLS] 深 学 [SEP]'],
    ['xyz un', '[CLS] [UNK] un [SEP]'],
    ['', '[CLS] [SEP]'],
    ['un\u0000aff\u200bable', '[CLS] un ##aff ##able [SEP]'],
    ['un'.repeat(60), '[CLS] [UNK] [SEP]']
  ] as const) {
    test(`of ${JSON.stringify(text.slice(0, 20))} are ${expected}`, () => {
      assert.equal(shown(uncased.encode(text, 512)), expected)
    })
  }

  test('keep case and accents where the model does', () => {
    assert.equal(shown(cased.encode('Café café', 512)), '[CLS] Café [UNK] [SEP]')
  })

  test('are cut to what the model reads, the last mark kept', () => {
    assert.equal(shown(uncased.encode('run, run, run, run', 5)), '[CLS] run , run [SEP]')
  })

  test('need the marks of BERT or MPNet', () => {
    const marks = new Map([
      ['<s>', 0],
      ['<pad>', 1],
      ['</s>', 2],
      ['<unk>', 3]
    ] as const)
    assert.deepEqual(createWordPiece({ vocabulary: marks, isUncased: true }).encode('x', 9), [0, 3, 2])
    assert.throws(() => createWordPiece({ vocabulary: new Map([['a', 0]]), isUncased: true }), /none of \[CLS\], <s>/)
  })
})
