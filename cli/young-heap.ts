import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** V8's own limit grows with the machine, up to 128 MB, which a process under load then holds for ever. More than this makes nothing faster. */
const maxYoungBytes = 32 * 1024 * 1024

/** V8's default. The launcher lets the young heap not grow at all while the code loads; under load a small one is collected too often. */
const usualGrowth = 2

let isLimited = false

/**
 * Lets the young heap of this process grow under load, up to 32 MB. V8 takes no other limit from a process that runs. To
 * follow it costs a twentieth of a short command.
 */
export function limitYoungHeap(): void {
  if (isLimited) return
  isLimited = true
  let growth = 0
  const follow = () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const wanted = (young?.space_size ?? 0) * usualGrowth > maxYoungBytes ? 1 : usualGrowth
    if (wanted !== growth) setFlagsFromString(`--semi-space-growth-factor=${wanted}`)
    growth = wanted
  }
  follow()
  // It grows after a collection only, and shrinks when the process is idle.
  new PerformanceObserver(follow).observe({ entryTypes: ['gc'] })
}
