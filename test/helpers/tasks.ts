import { MemoryService } from '../../plugins/memory/index.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** A text about lighthouses, long enough for a post of 300 words. */
export const lighthouseSource = `# How a lighthouse lens works

A lighthouse lens gathers the light of a small lamp into a beam that ships see from far away. Augustin Fresnel designed such a lens in 1822 for the tower at Cordouan.

## Rings of prisms

A Fresnel lens is built from rings of glass prisms around a central bullseye. Each ring bends the light of the lamp a little more than the ring inside it, so that all rays leave the lens in the same direction. A solid lens of the same size would weigh several tonnes and would absorb much of the light. The prisms above and below the lamp reflect light that would otherwise be lost to the sky and the floor. A first-order lens stands almost three metres tall and holds more than a thousand prisms.

## Turning the beam

A lens with several bullseyes turns around the lamp and sends out several beams. A ship sees a flash each time a beam passes over it. The number of bullseyes and the speed of the turning give every lighthouse a rhythm of its own. Sailors read the rhythm from a printed list of lights and learn which lighthouse they see. Early lenses turned on wheels, and later ones floated in a bath of mercury so that a small clockwork could move tonnes of glass.

## Keeping the light

Keepers wound the clockwork every few hours and trimmed the wick of the lamp through the night. Soot on the glass dimmed the beam, so keepers polished the prisms every morning. Electric lamps replaced oil in the twentieth century and made the keeper's night watch unnecessary. Many towers now carry a small lamp with its own lens, and the large lenses stand in museums.
`

/** Stores the source the tests' tasks are written from. */
export async function storeSource(service: TestService): Promise<void> {
  const memory = service.kernel.service(MemoryService)
  await memory?.store({ source_table: 'memory', source_id: 'lighthouse', writer: 'test', text: lighthouseSource })
}

export const lighthouseTask = {
  topic: 'How a lighthouse lens works',
  target_length: 300,
  category: 'optics',
  tags: ['Light', 'Sea']
}

/** Creates a task and waits until the pipeline has done with it. */
export async function draftedTask(
  service: TestService,
  request: object = lighthouseTask
): Promise<Record<string, unknown> & { task_id: string }> {
  const created = await service.bearer('POST', '/api/tasks', request)
  if (created.status !== 201) throw new Error(`the task was not created: ${JSON.stringify(created.body)}`)
  return awaitOutcome(service, created.body.task_id)
}

/** The task once the pipeline has nothing more to do with it. */
export async function awaitOutcome(service: TestService, task_id: string) {
  let task: Record<string, unknown> & { task_id: string } = { task_id }
  await until(async () => {
    task = (await service.bearer('GET', `/api/tasks/${task_id}`)).body
    return !['pending', 'in_progress', 'rejected_retry'].includes(String(task.status))
  }, `task ${task_id} is processed`)
  return task
}
