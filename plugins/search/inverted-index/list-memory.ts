/** Room for a decoded list, or another array: of one length, with what others have left in them. */
interface ListArrays {
  readonly postNos: Int32Array
  readonly weights: Float32Array
}

/** The decoded lists of one search. */
export interface ListMemory {
  /** Arrays with room for so many posts. */
  take(posts: number): ListArrays
  /** Runs what takes arrays and writes them later on. */
  use<T>(work: () => Promise<T>): Promise<T>
  /** Gives all of them to later searches. Nobody may use one any more. While one is read into, they are left to the garbage collector. */
  release(): void
}

/** Shorter ones are made anew: they cost less than to look for them. */
const minPosts = 1024
const bytesOfPost = 8

/** Arrays are used again: new ones for each search are some megabytes, and wait for a collection of the whole heap. */
export function createListPool(): (maxBytes: number) => ListMemory {
  // The one given back last is the last.
  const free: ListArrays[] = []
  let bytes = 0
  const remove = (at: number): ListArrays | undefined => {
    const [removed] = at < 0 ? [] : free.splice(at, 1)
    bytes -= (removed?.postNos.length ?? 0) * bytesOfPost
    return removed
  }
  const take = (posts: number): ListArrays => {
    if (posts < minPosts) return arraysOf(posts)
    const size = 2 ** Math.ceil(Math.log2(posts))
    return remove(free.findLastIndex(({ postNos }) => postNos.length === size)) ?? arraysOf(size)
  }
  const giveBack = (arrays: ListArrays, maxBytes: number) => {
    const size = arrays.postNos.length
    if (size < minPosts || size * bytesOfPost > maxBytes) return
    free.push(arrays)
    bytes += size * bytesOfPost
    // Those of a size that no search asks for any more are the first to go.
    while (bytes > maxBytes) remove(0)
  }
  return maxBytes => {
    const taken: ListArrays[] = []
    // A search that failed may leave a list that is still being read.
    let users = 0
    return {
      take(posts) {
        const arrays = take(posts)
        taken.push(arrays)
        return arrays
      },
      async use(work) {
        users += 1
        try {
          return await work()
        } finally {
          users -= 1
        }
      },
      release() {
        const released = taken.splice(0)
        if (users === 0) for (const arrays of released) giveBack(arrays, maxBytes)
      }
    }
  }
}

const arraysOf = (posts: number): ListArrays => ({ postNos: new Int32Array(posts), weights: new Float32Array(posts) })

/** Rows of an index have some ten thousand bytes each. */
const minRoomBytes = 512 * 1024
const noBytes = Buffer.alloc(0)

/** Runs a statement whose `read` decodes base64 into the memory of a search. A row that comes after it has ended has no bytes. */
export async function readIntoMemory<T>(
  memory: Pick<ListMemory, 'take'>,
  run: (read: (base64: string) => Buffer) => Promise<T>
): Promise<T> {
  let isRunning = true
  let room: Buffer = noBytes
  let spare: Buffer = noBytes
  const makeRoom = (bytes: number) => {
    room = spare
    spare = noBytes
    if (room.length >= bytes) return
    const { postNos, weights } = memory.take(Math.max(minRoomBytes, bytes) / Int32Array.BYTES_PER_ELEMENT)
    room = Buffer.from(postNos.buffer)
    spare = Buffer.from(weights.buffer)
  }
  const read = (base64: string) => {
    if (!isRunning) return noBytes
    const maxBytes = Math.ceil(base64.length / 4) * 3
    if (room.length < maxBytes) makeRoom(maxBytes)
    const bytes = room.subarray(0, room.write(base64, 'base64'))
    room = room.subarray(bytes.length)
    return bytes
  }
  try {
    return await run(read)
  } finally {
    isRunning = false
  }
}
