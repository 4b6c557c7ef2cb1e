import { type Costs, chatCall, isMetered, withMethods } from '#plugins/costs'
import type { Critic, Writer } from './ports.ts'

/** A writer of another plugin: what it asks a model counts, whether it says so or not. */
export const meteredWriter = (costs: Costs | undefined, writer: Writer): Writer =>
  isMetered(costs, writer)
    ? withMethods(writer, {
        write: (assignment, signal) =>
          costs.meter(chatCall(writer.name, assignment), () => writer.write(assignment, signal), { signal })
      })
    : writer

/** The same for a critic. */
export const meteredCritic = (costs: Costs | undefined, critic: Critic): Critic =>
  isMetered(costs, critic)
    ? withMethods(critic, {
        judge: (assignment, draft, signal) =>
          costs.meter(chatCall(critic.name, [assignment, draft]), () => critic.judge(assignment, draft, signal), {
            signal
          })
      })
    : critic
