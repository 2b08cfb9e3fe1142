import { Readable } from 'node:stream'
import t from 'tap'
import type { Database } from '../../../../core/contract/database.ts'
import type { Signal } from '../../../../core/contract/signals.ts'
import type { Statement } from '../../../../core/contract/statement.ts'
import { commentStatements } from '../../../../core/service/lifecycle/comment-statements.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'

const READ: Statement = { name: 's1', text: 'SELECT 1', readOnly: true }

/** Keeps what it is sent. */
function createCommented(read: () => string | null) {
  const sent: Statement[] = []
  const keep = async (statement: Statement) => {
    sent.push(statement)
    return { rows: [], columns: [] }
  }
  const database = {
    kind: 'fake',
    takesComments: true,
    query: keep,
    readRow: async (statement: Statement) => void sent.push(statement),
    transaction: (work: (session: unknown) => Promise<unknown>) => work({ query: keep }),
    stream(statement: Statement) {
      sent.push(statement)
      return Readable.from([])
    },
  } as unknown as Database
  const signals = createSignals()
  const warnings: Signal[] = []
  signals.subscribe((signal) => warnings.push(signal))
  return { sent, warnings, database, commented: commentStatements(database, [{ plugin: 'one', read }], signals) }
}

t.test('every way to send a statement carries the comment, unprepared, and nothing else changes', async (t) => {
  const { sent, commented } = createCommented(() => "traceparent='00-ab-01'")
  await commented.query(READ, [], null)
  await commented.readRow?.(READ, [], null, () => null)
  await commented.transaction((session) => session.query(READ, []), {})
  for await (const _ of commented.stream(READ, [], { cancel: null, batchSize: 1 })) t.fail('no rows')
  const wanted = { name: null, text: "SELECT 1 /*traceparent='00-ab-01'*/", readOnly: true }
  t.strictSame(sent, [wanted, wanted, wanted, wanted])
  t.equal(commented.kind, 'fake')
})

t.test('nothing to say: the very statement, prepared as ever', async (t) => {
  const { sent, commented, database } = createCommented(() => null)
  await commented.query(READ, [], null)
  t.equal(sent[0], READ)
  t.equal(commentStatements(database, [], createSignals()), database, 'nobody comments: the database itself')
  const silent = { ...database, takesComments: undefined } as unknown as Database
  const comments = [{ plugin: 'one', read: () => "a='b'" }]
  t.equal(commentStatements(silent, comments, createSignals()), silent, 'nor where it would show none')
})

t.test('a comment that could end early, or fails, is omitted and reported once', async (t) => {
  const bad = ['*/ DROP TABLE x --', "a='b' /*", 'a\nb', "x='é'", '', "a='b' ", 'a;b', 'a\\']
  for (const text of bad) {
    const { sent, warnings, commented } = createCommented(() => text)
    await commented.query(READ, [], null)
    await commented.query(READ, [], null)
    t.equal(sent[1], READ, JSON.stringify(text))
    t.match(warnings, [{ type: 'warning', plugin: 'one', message: /left out: it is no text/ }])
    t.equal(warnings.length, 1)
  }
  const { sent, warnings, commented } = createCommented(() => {
    throw new Error('why')
  })
  await commented.query(READ, [], null)
  t.equal(sent[0], READ)
  t.match(warnings, [{ message: /left out: why/ }])
})
