/**
 * Runs all steps, the latest first: what was begun last may still use what was begun before.
 * @throws the first error, after all steps have run.
 */
export async function closeAll(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps.toReversed()) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
