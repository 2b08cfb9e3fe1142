import type { RootLog } from '../../service/signals/log.ts'
import type { ReloadAnswer } from './messages.ts'
import type { WorkerSlot } from './worker-slot.ts'

/** Maximum number of attempts. The artifact can be replaced while workers read it; then all workers read it again. */
const ATTEMPTS = 2

/**
 * Makes all workers reload the compiled schema at the same time, and logs the result of each. A worker that cannot load
 * the new schema keeps the old one.
 * If the file is replaced while workers read it, they may load different schemas; then all workers reload once more.
 * @param serving returns the workers that are ready; called before each reload
 */
export async function reloadWorkers(serving: () => readonly WorkerSlot[], log: RootLog): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const slots = serving()
    const answers = await Promise.all(slots.map((slot) => slot.reload()))
    const results = Object.fromEntries(slots.map(({ index }, i) => [index, describe(answers[i]!)]))
    const hashes = new Set(serving().map((slot) => slot.serving?.hash))
    if (hashes.size <= 1) {
      const [hash] = hashes
      const failed = answers.some(({ type }) => type !== 'reloaded')
      log[failed ? 'error' : 'info'](
        { workers: results, hash },
        failed ? 'reload failed in workers' : 'reloaded in all workers',
      )
      return
    }
    if (attempt === ATTEMPTS) log.error({ workers: results }, 'the workers serve different schemas; reload again')
  }
}

function describe(answer: ReloadAnswer): string {
  switch (answer.type) {
    case 'reloaded':
      return answer.result
    case 'reload-failed':
      return `failed: ${answer.reason}`
    case 'gone':
      return 'died'
  }
}
