import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLatentIndexing, type LatentIndexing } from '../../../../plugins/search/latent/latent-indexing.ts'
import { createLatentSimilarity } from '../../../../plugins/search/latent/latent-similarity.ts'
import { type Harness, openPosts } from '../../posts/harness.ts'
import { textOfSubject } from './subjects.ts'

const enough = 300
const run = { signal: new AbortController().signal, isWaitedFor: false }
const subjectOf = (n: number) => (n % 2 === 0 ? 'sea' : 'town')

let harness: Harness
let latent: LatentIndexing
before(async () => {
  harness = await openPosts({ withMemory: false })
  const settings = { get: (key: string) => harness.values[key] ?? 'english' } as never
  const log = { info() {}, error() {}, warn() {} } as never
  latent = createLatentIndexing({ db: harness.db, settings, languageOf: () => 'english', log })
})
after(() => harness.close())

async function insertPosts(from: number, to: number) {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at)
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at)
     select 'post-' || n, 'Post', text, text, 'published', now() from unnest($1::int[], $2::text[]) as t (n, text)`,
    [numbers, numbers.map(n => textOfSubject(n, subjectOf(n)))]
  )
  await harness.index()
}

/** The number of the post that was inserted as the nth. */
async function numberOf(n: number): Promise<number> {
  const [row] = await harness.db.query<{ post_no: number }>('select post_no from posts where slug = $1', [`post-${n}`])
  assert.ok(row)
  return row.post_no
}

/** Words of the sea that a post of the sea does not say. */
function wordsBeside(n: number): string {
  const said = new Set(textOfSubject(n, 'sea').split(' '))
  return Array.from({ length: 40 }, (_, at) => `sea${at}`)
    .filter(word => !said.has(word))
    .join(' ')
}

const compare = (q: string, posts: readonly number[], relevances: readonly number[] = []) =>
  createLatentSimilarity({ db: harness.db, languages: async () => ['english'], isBuiltin: () => true }).compare(
    q,
    posts,
    relevances
  )

const models = () =>
  harness.db.query<{ model_id: number; posts: number; is_ready: boolean }>(
    'select model_id, posts, is_ready from search_models order by 1'
  )

/** A newer model with the terms of the one before, and no vector of a post. */
async function insertCopy() {
  await harness.db.query(
    'insert into search_models (posts, terms, language) select 1, terms, language from search_models'
  )
  await harness.db.query(
    `insert into search_term_vectors (model_id, term, vector)
     select (select max(model_id) from search_models), term, vector from search_term_vectors`
  )
}

const vectorCount = async () =>
  (await harness.db.query<{ count: number }>('select count(*)::int as count from search_post_vectors'))[0]?.count

describe('latent semantic analysis of the posts', () => {
  test('begins once there are enough posts', async () => {
    await insertPosts(0, enough - 1)
    assert.deepEqual(await models(), [])
    assert.equal(await compare('sea1', [await numberOf(0)]), undefined)
    await insertPosts(enough - 1, enough)
    assert.deepEqual(
      (await models()).map(({ posts, is_ready }) => [posts, is_ready]),
      [[enough, true]]
    )
    assert.equal(await vectorCount(), enough)
  })

  test('finds what is near to a query, without its words', async () => {
    const [ofSea, ofTown] = [await numberOf(10), await numberOf(11)]
    const found = await compare(wordsBeside(10), [ofSea, ofTown])
    assert.deepEqual(
      found?.map(({ post_no }) => post_no),
      [ofSea, ofTown]
    )
    const [near, far] = found?.map(({ similarity }) => similarity) ?? []
    assert.ok((near ?? 0) > (far ?? 1) + 0.1, `${near} and ${far}`)
    const moved = await compare(wordsBeside(10), [ofSea, ofTown], [0, 1])
    assert.ok((moved?.[1]?.similarity ?? 0) > (far ?? 1), 'a relevant post moves the query')
    const between = await compare(wordsBeside(10), [ofSea, ofTown], [1, 1])
    const [unmoved = Number.NaN, half = Number.NaN, whole = Number.NaN] = [
      far,
      between?.[1]?.similarity,
      moved?.[1]?.similarity
    ]
    assert.ok(unmoved < half && half < whole, 'all that are relevant move it, each by its share')
    assert.equal(await compare('unheard', [ofSea]), undefined, 'no word of the model')
  })

  test('has nothing to do while no post changes', async () => {
    assert.equal(await latent.hasWork(run), false)
  })

  test('follows an edit and a withdrawal', async () => {
    const [edited, withdrawn] = [await numberOf(0), await numberOf(2)]
    await harness.db.query('update posts set content = $2 where post_no = $1', [edited, textOfSubject(1, 'town')])
    await harness.db.query("update posts set status = 'archived' where post_no = $1", [withdrawn])
    assert.equal(await latent.hasWork(run), true)
    await harness.index()
    const found = await compare(textOfSubject(1, 'town'), [edited])
    assert.ok((found?.[0]?.similarity ?? 0) > 0.9)
    assert.equal(await compare('sea1', [withdrawn]), undefined)
    assert.equal(await vectorCount(), enough - 1)
    assert.equal((await models()).length, 1, 'the model stays')
  })

  test('goes on from where a killed run ended, and searches use the model before until then', async () => {
    const [before] = await models()
    await insertPosts(enough, 2 * enough - 10)
    await insertCopy()
    assert.ok(await compare('sea1', [await numberOf(10)]))
    assert.equal(await latent.hasWork(run), true)
    await latent.update(run)
    const [now, ...others] = await models()
    assert.deepEqual([others.length, now?.is_ready, now?.posts], [0, true, 1])
    assert.notEqual(now?.model_id, before?.model_id)
    assert.equal(await vectorCount(), 2 * enough - 11)
  })

  test('follows an edit by the model that searches use, while the next one has few vectors', async () => {
    const [model] = await models()
    await insertCopy()
    const edited = await numberOf(4)
    await harness.db.query('update posts set content = $2 where post_no = $1', [edited, textOfSubject(3, 'town')])
    // The next one ends before it has any.
    await harness.db.script(`create function no_vectors() returns trigger language plpgsql as $$ begin
        if new.model_id > ${model?.model_id} then raise exception 'stopped'; end if; return new; end $$;
      create trigger no_vectors before insert on search_post_vectors for each row execute function no_vectors()`)
    await assert.rejects(harness.index(), /stopped/)
    await harness.db.script('drop trigger no_vectors on search_post_vectors; drop function no_vectors')
    const found = await compare(textOfSubject(3, 'town'), [edited])
    assert.ok((found?.[0]?.similarity ?? 0) > 0.9)
    await harness.db.query('delete from search_models where not is_ready')
  })

  test('is trained anew once there are twice as many posts, and for another language', async () => {
    const train = async () => {
      assert.equal(await latent.hasWork(run), true)
      await latent.update(run)
      return (await models()).map(({ posts }) => posts)
    }
    assert.deepEqual(await train(), [2 * enough - 11])
    harness.values.search_language = 'german'
    const trained = await train()
    assert.deepEqual(trained, [2 * enough - 11])
    assert.equal(await vectorCount(), 2 * enough - 11)
  })

  test('leaves the order to others where a vector is damaged', async () => {
    const posts = [await numberOf(10), await numberOf(11)]
    assert.ok(await compare('sea1', posts))
    const damage =
      'update search_post_vectors set vector = substring(vector from 2) where post_no = $1 returning vector'
    await harness.db.query(damage, [posts[0] ?? 0])
    assert.equal(await compare('sea1', posts), undefined)
  })

  test('a verification finds what is damaged or missing, and has it made again', async () => {
    const verify = async (isFixing: boolean) => {
      const found = await harness.search.verify({
        ...{ isFixing, signal: new AbortController().signal, onProgress: () => {} }
      })
      assert.ok('vectors' in found)
      return [found.vectors, found.isRepaired]
    }
    const [trained] = await models()
    assert.deepEqual(await verify(false), [1, false])
    await harness.db.query('delete from search_post_vectors where post_no = $1', [await numberOf(12)])
    await harness.db.query(
      'update search_post_vectors set vector = set_byte(vector, 50, 1 + get_byte(vector, 50) % 255) where post_no = $1',
      [await numberOf(13)]
    )
    assert.deepEqual(await verify(false), [3, false])
    assert.deepEqual(await verify(true), [3, true])
    await latent.update(run)
    assert.deepEqual(await verify(false), [0, false])
    assert.equal((await models())[0]?.model_id, trained?.model_id)
    await harness.db.script('delete from search_term_vectors where term in (select min(term) from search_term_vectors)')
    assert.deepEqual(await verify(false), [1, false])
    assert.deepEqual(await verify(true), [1, true])
    await latent.update(run)
    assert.deepEqual(await verify(false), [0, false])
    assert.notEqual((await models())[0]?.model_id, trained?.model_id)
  })

  test('makes no vectors by a model that is damaged: another one is trained', async () => {
    const [trained] = await models()
    await harness.db.script(
      'update search_term_vectors set vector = substring(vector from 5); update search_models set horizon = null; delete from search_post_vectors'
    )
    await latent.update(run)
    assert.equal(await vectorCount(), 0)
    await latent.update(run)
    assert.notEqual((await models())[0]?.model_id, trained?.model_id)
    assert.equal(await vectorCount(), 2 * enough - 11)
  })

  test('looks at all posts again after a restore', async () => {
    await harness.db.query('update search_models set horizon = null')
    await harness.db.query('delete from search_post_vectors where post_no = $1', [await numberOf(10)])
    assert.equal(await latent.hasWork(run), true)
    await latent.update(run)
    assert.equal(await vectorCount(), 2 * enough - 11)
    assert.equal(await latent.hasWork(run), false)
  })
})
