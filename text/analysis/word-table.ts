/** Words by how they are written. Found where they stand in a text, without a string for each: a fraction of the time of a map. */
interface WordTable<Word> {
  find(text: string, start: number, end: number): Word | undefined
  /** Adds a word that is not there. A full table is emptied first. */
  add(written: string, word: Word): void
}

const initialBuckets = 2048
const firstUnits = 16_384

// Each bucket has the hash of a spelling, the index of its word from 1 on, or 0 for an empty bucket, where the spelling begins among
// all units, and its length. Rare words are far apart in memory: so each is looked up with few steps through it.
const bucketSize = 4

export function createWordTable<Word>(maxWords: () => number): WordTable<Word> {
  const words: Word[] = []
  let spellings = new Uint16Array(firstUnits)
  let units = 0
  // Open addressing, with half of the buckets taken at most.
  let buckets = new Int32Array(bucketSize * initialBuckets)
  const resize = (count: number) => {
    const before = buckets
    buckets = new Int32Array(bucketSize * count)
    for (let from = 0; from < before.length; from += bucketSize) {
      if (before[from + 1] === 0) continue
      const to = emptyBucket(buckets, before[from] ?? 0)
      for (let at = 0; at < bucketSize; at++) buckets[to + at] = before[from + at] ?? 0
    }
  }
  const clear = () => {
    words.length = 0
    units = 0
    buckets.fill(0)
  }
  return {
    find(text, start, end) {
      const hash = hashOf(text, start, end)
      const length = end - start
      const last = buckets.length - bucketSize
      for (let bucket = firstBucketOf(hash, last); ; bucket = (bucket + bucketSize) & last) {
        const index = buckets[bucket + 1] ?? 0
        if (index === 0) return undefined
        if (buckets[bucket] !== hash || buckets[bucket + 3] !== length) continue
        const from = buckets[bucket + 2] ?? 0
        let at = 0
        while (at < length && spellings[from + at] === text.charCodeAt(start + at)) at += 1
        if (at === length) return words[index - 1]
      }
    },
    add(written, word) {
      if (words.length >= maxWords()) clear()
      const hash = hashOf(written, 0, written.length)
      if ((words.length + 1) * 2 * bucketSize > buckets.length) resize((2 * buckets.length) / bucketSize)
      if (units + written.length > spellings.length) spellings = enlarged(spellings, units + written.length)
      buckets.set([hash, words.push(word), units, written.length], emptyBucket(buckets, hash))
      for (let at = 0; at < written.length; at++) spellings[units++] = written.charCodeAt(at)
    }
  }
}

/** Where the bucket is that a hash is looked for first; `last` is where the last one is. */
const firstBucketOf = (hash: number, last: number) => (hash * bucketSize) & last

function emptyBucket(buckets: Int32Array, hash: number): number {
  const last = buckets.length - bucketSize
  let bucket = firstBucketOf(hash, last)
  while (buckets[bucket + 1] !== 0) bucket = (bucket + bucketSize) & last
  return bucket
}

function enlarged(units: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(Math.max(length, 2 * units.length))
  larger.set(units)
  return larger
}

/** FNV-1a, with its high bits mixed into the low ones. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}
