import t from 'tap'
import { changes } from '../../../core/doors/front.ts'
import { createMemoryBackend } from '../../../plugins/observers/backends/memory-backend.ts'

t.test('a follower that is stopped while it begins ends', async (t) => {
  const backend = createMemoryBackend(() => {}, 10, await changes.loadInProcessBus())
  const end = new AbortController()
  const begun: string[] = []
  const sink = {
    begin(position: string) {
      begun.push(position)
      end.abort()
    },
    take: async () => void t.fail('it takes nothing'),
  }
  await backend.source!.follow(null, sink as never, end.signal)
  t.equal(begun.length, 1)
})
