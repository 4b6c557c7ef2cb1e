/** Runs pieces of work one after the other, in the order they were asked for; a failed one does not stop the next. */
export type Serial = <T>(work: () => Promise<T>) => Promise<T>

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const done = last.then(work)
    // Without the result: a timer of the work keeps this for as long as it is set.
    last = done.then(ignore, ignore)
    return done
  }
}

const ignore = () => {}
