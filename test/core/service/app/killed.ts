import { entry, plugin } from '../../../helpers/kernel.ts'
import { openApp } from '../../../helpers/open-app.ts'
import type { TestLike } from '../../../helpers/services.ts'
import { NOTES, OUTBOX } from './notes.ts'

/** A service that is killed by its first `afterCommit`. Run by writes.test.ts: the URL of the database is the argument. */
const url = process.argv[2]!
const outsideOfTests = { teardown() {} } as unknown as TestLike
const app = await openApp(outsideOfTests, { kind: 'postgres', url }, NOTES, {
  plugins: [
    entry(plugin('outbox', (scope) => scope.writes(OUTBOX))),
    entry(plugin('killer', (scope) => scope.on('afterCommit', () => void process.kill(process.pid, 'SIGKILL')))),
  ],
})
await app.graphql('mutation { addNote(text: "last words") { id } }')
