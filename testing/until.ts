import assert from 'node:assert/strict'

/** Waits until `condition` holds, looking again and again; fails after eight minutes, which only says that it never will. */
export async function until(condition: () => unknown, what = String(condition)): Promise<void> {
  const startedAt = performance.now()
  while (!(await condition())) {
    assert.ok(performance.now() - startedAt < 480_000, `this never came true: ${what}`)
    // What takes long is looked at less often: looking takes processor time from what is waited for.
    const pauseMs = Math.min(50, 5 + (performance.now() - startedAt) / 5)
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
