/** Concurrent reads of one key share a promise. */
interface SingleFlight<Value> {
  /** Joins the read under way for `key`, unless it `isOutdated`; else starts one. */
  share(key: string, isOutdated: () => boolean, read: () => Promise<Value>): Promise<Value>
}

export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, { isOutdated(): boolean; value: Promise<Value> }>()
  return {
    async share(key, isOutdated, read) {
      const known = flights.get(key)
      if (known !== undefined && !known.isOutdated()) return known.value
      const flight = { isOutdated, value: read() }
      flights.set(key, flight)
      try {
        return await flight.value
      } finally {
        if (flights.get(key) === flight) flights.delete(key)
      }
    }
  }
}
