import t from 'tap'
import { AbortSource } from '../../../../core/service/lifecycle/abort-source.ts'

t.test('each listener is called once for an abort', async (t) => {
  const source = new AbortSource()
  const heard: string[] = []
  const { signal } = source
  source.onAbort(() => heard.push('first'))
  const off = source.onAbort(() => heard.push('second'))
  source.onAbort(() => heard.push('third'))
  off()
  off()
  source.abort('timeout')
  source.abort('client')
  t.strictSame(heard, ['first', 'third'])
  t.equal(source.abortReason, 'timeout')
  t.equal(signal.reason, 'timeout')
  t.notOk(source.isWatched)
})

t.test('a listener that comes late is called at once, and has nothing to take back', async (t) => {
  const source = new AbortSource()
  source.abort('client')
  let heard = 0
  source.onAbort(() => heard++)()
  t.equal(heard, 1)
  t.notOk(source.isWatched)
  t.ok(source.signal.aborted)
})

t.test('a removed listener is not called, in any order of removal', async (t) => {
  const source = new AbortSource()
  const offs = [1, 2, 3].map((nr) => source.onAbort(() => t.fail(`listener ${nr} was called`)))
  t.ok(source.isWatched)
  for (const nr of [1, 0, 2]) offs[nr]?.()
  t.notOk(source.isWatched)
  const alone = source.onAbort(() => t.fail('called'))
  alone()
  source.removeAbortListener(() => {})
  source.abort('client')
})

t.test('a function that listens already is not added again', async (t) => {
  const source = new AbortSource()
  let heard = 0
  const listener = (): void => void heard++
  source.onAbort(listener)
  source.onAbort(listener)
  source.onAbort(() => {})
  source.onAbort(listener)
  source.abort('client')
  t.equal(heard, 1)
})

t.test('a listener may remove another one, and one that throws does not stop the others', async (t) => {
  const source = new AbortSource()
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
  const heard: string[] = []
  source.onAbort(() => {
    off()
    throw new Error('a listener in pieces')
  })
  const off = source.onAbort(() => heard.push('taken back'))
  source.onAbort(() => heard.push('last'))
  source.abort('client')
  t.strictSame(heard, ['last'])
  t.match((await warned).message, 'a listener in pieces')
})
