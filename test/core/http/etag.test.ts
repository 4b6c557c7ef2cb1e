import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codedEtag, etagOf, matchesIfMatch } from '../../../core/http/etag.ts'

describe('If-Match', () => {
  const etag = etagOf('text')
  const rows: [header: string, matches: boolean, title: string][] = [
    [etag, true, 'the same tag'],
    [codedEtag(etag, 'gzip'), true, 'the tag of the compressed form'],
    [codedEtag(etag, 'br'), true, 'the tag of the smallest form'],
    [`"other", ${etag}`, true, 'one of several'],
    ['*', true, 'any'],
    [`W/${etag}`, false, 'a weak tag never matches strongly'],
    ['"other"', false, 'another tag'],
    ['nonsense', false, 'no tag at all']
  ]
  for (const [header, matches, title] of rows)
    it(`${title}: ${matches}`, () => assert.equal(matchesIfMatch(header, etag), matches))
})
