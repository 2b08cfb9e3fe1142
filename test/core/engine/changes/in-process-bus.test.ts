import t from 'tap'
import { InProcessBus } from '../../../../core/engine/changes/in-process-bus.ts'

interface Messages {
  readonly one: number
  readonly other: string
}

t.test('messages reach the listeners of their topic, in order, before publish returns', (t) => {
  const failures: unknown[] = []
  const bus = new InProcessBus<Messages>((error) => void failures.push(error))
  const heard: unknown[] = []
  bus.publish('one', 0)
  const endFirst = bus.subscribe('one', (value) => void heard.push(['first', value]))
  bus.subscribe('one', () => {
    throw new Error('it fails')
  })
  bus.subscribe('one', (value) => void heard.push(['last', value]))
  bus.subscribe('other', (value) => void heard.push(['other', value]))
  bus.publish('one', 1)
  t.same(heard, [
    ['first', 1],
    ['last', 1],
  ])
  t.match(failures, [{ message: 'it fails' }], 'a listener that fails takes nothing from the others')
  bus.publish('other', 'text')
  bus.publish('one', 2)
  t.same(heard.slice(2), [
    ['other', 'text'],
    ['first', 2],
    ['last', 2],
  ])
  heard.length = 0
  endFirst()
  endFirst()
  bus.publish('one', 3)
  t.same(heard, [['last', 3]], 'a listener that has ended hears nothing, in the same turn')
  t.end()
})

t.test('a message that a listener publishes is heard at once', (t) => {
  const bus = new InProcessBus<Messages>((error) => t.fail(String(error)))
  const heard: string[] = []
  bus.subscribe('one', (value) => {
    heard.push(`before ${value}`)
    if (value < 3) bus.publish('one', value + 1)
    heard.push(`behind ${value}`)
  })
  bus.publish('one', 1)
  t.same(heard, ['before 1', 'before 2', 'before 3', 'behind 3', 'behind 2', 'behind 1'])
  t.end()
})

t.test('ten thousand messages to a hundred listeners are heard by each, in order', (t) => {
  const bus = new InProcessBus<Messages>((error) => t.fail(String(error)))
  const heard = Array.from({ length: 100 }, () => ({ count: 0, isOrdered: true }))
  for (const one of heard) {
    bus.subscribe('one', (value) => {
      one.isOrdered &&= value === one.count
      one.count++
    })
  }
  const began = performance.now()
  for (let n = 0; n < 10_000; n++) bus.publish('one', n)
  t.comment(`${Math.round(performance.now() - began)} ms`)
  t.same(
    heard.filter(({ count, isOrdered }) => count !== 10_000 || !isOrdered),
    [],
  )
  t.end()
})
