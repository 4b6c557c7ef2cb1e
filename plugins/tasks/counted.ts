import { type Costs, chatCall, isCovered, withMethods } from '#plugins/costs'
import type { Critic, Writer } from './ports.ts'

/** A writer of another plugin: what it asks a model counts, whether it says so or not. */
export const countedWriter = (costs: Costs | undefined, writer: Writer): Writer =>
  isCovered(costs, writer)
    ? withMethods(writer, {
        write: (assignment, signal) =>
          costs.cover(chatCall(writer.name, assignment), () => writer.write(assignment, signal), { signal })
      })
    : writer

/** The same for a critic. */
export const countedCritic = (costs: Costs | undefined, critic: Critic): Critic =>
  isCovered(costs, critic)
    ? withMethods(critic, {
        judge: (assignment, draft, signal) =>
          costs.cover(chatCall(critic.name, [assignment, draft]), () => critic.judge(assignment, draft, signal), {
            signal
          })
      })
    : critic
