import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitCompound } from '#text'

const known = new Set(
  [
    'haustur',
    'haus',
    'schlussel',
    'donau',
    'dampf',
    'dampfschiff',
    'schiff',
    'fahrt',
    'arbeit',
    'platz',
    'liebe',
    'brief'
  ].concat(['bloemen', 'winkel', 'stad'])
)
const parts = (word: string) => splitCompound(word, part => known.has(part)).join(' ')

test('a compound has the parts that are words, the longer ones before the shorter', () => {
  assert.equal(parts('hausturschlussel'), 'haustur schlussel')
  assert.equal(parts('donaudampfschifffahrt'), 'donau dampfschiff fahrt')
  assert.equal(parts('arbeitsplatz'), 'arbeit platz')
  assert.equal(parts('liebesbrief'), 'liebe brief')
  assert.equal(parts('bloemenwinkel'), 'bloemen winkel')
})

test('a word that is not made of words has no parts', () => {
  for (const word of ['haus', 'haustur', 'hausboot', 'tischplatz', 'arbeitsam', '', 'haus'.repeat(16)])
    assert.equal(parts(word), '', word)
})

test('parts of any word are words, in order, and asked for in bounds', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 's', 'n'), maxLength: 80 }), word => {
      let asked = 0
      const found = splitCompound(word, part => {
        asked += 1
        return part.length % 2 === 0
      })
      assert.ok(asked <= 1600)
      assert.notEqual(found.length, 1)
      let at = 0
      for (const part of found) {
        at = word.indexOf(part, at)
        assert.ok(at >= 0 && part.length >= 4)
        at += part.length
      }
    })
  )
})
