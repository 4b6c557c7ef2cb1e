import { command, listOf, table } from '#core'
import type { DefaultGateRow, GateRegistry, GateRow } from '../gates.ts'

export const gateCommands = (gates: GateRegistry) => ({
  list: command({
    describe: 'The default publish gate, then the configurable gates with how many wait at each',
    returns: 'list of Gate',
    args: {},
    run: async () => listOf(await gates.list()),
    text: (page, terminal) => table(['GATE', 'STATE', 'WAITING', 'WIRED INTO'], page.items.map(rowCells), terminal)
  }),
  approve: command({
    describe: 'Let a held item pass a gate',
    returns: 'Task',
    args: {
      task_id: {
        type: 'positional',
        describe: 'Id of the held item, or 8 or more of its first characters',
        required: true
      },
      gate: { type: 'string', describe: 'Name of the gate', required: true },
      reason: { type: 'string', describe: 'Why, for the gate history' }
    },
    run: ({ args, actor }) => gates.approve(args.gate, args.task_id, { actor, reason: args.reason ?? null }),
    text: () => 'Approved.'
  }),
  set: command({
    describe: 'Switch a gate on or off',
    returns: 'Gate',
    args: {
      gate: { type: 'positional', describe: 'Name of the gate', required: true },
      state: { type: 'positional', describe: 'on or off', options: ['on', 'off'], required: true }
    },
    run: ({ args }) => gates.set(args.gate, args.state === 'on' ? 'on' : 'off'),
    text: gate => `The gate ${gate.gate_name} is ${gate.enabled ? 'on' : 'off'}; ${gate.pending_count} waiting.`
  })
})

function rowCells(gate: DefaultGateRow | GateRow): string[] {
  if (gate.mechanism === 'configurable')
    return [gate.gate_name, gate.enabled ? 'on' : 'off', String(gate.pending_count), gate.wired_into]
  const posture = gate.require_human_approval ? 'a human signs off' : `auto-publish at ${gate.auto_publish_threshold}`
  return [gate.gate_name, posture, String(gate.pending_count), 'every draft']
}
