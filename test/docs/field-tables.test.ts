import t from 'tap'
import { FAILURE, SUCCESS } from '../../core/engine/plan/write/write-status.ts'
import { read } from '../repo/source-files.ts'

/** What the guides say field by field is all there is, and nothing else. */
const plugins = read('docs/guides/write-a-plugin.md')
const mutations = read('docs/guides/mutations.md')

/** Members of an interface, as the source declares them. */
function membersOf(file: string, name: string): readonly string[] {
  const body = new RegExp(`export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(read(file))?.[1] ?? ''
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)(?:\(.*\))?\??:/gm)].map(([, member]) => member as string).sort()
}

/** Names in the first column of the table with this heading. */
function rowsOf(text: string, heading: string): readonly string[] {
  const table = text.slice(text.indexOf(`| ${heading} |`)).split('\n\n')[0] ?? ''
  const rows = table.split('\n').slice(2)
  return rows
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)(?:\(\))?`/g)].map(([, name]) => name as string))
    .sort()
}

t.test('the tables of the plugin guide name every field', async (t) => {
  const tables: readonly (readonly [heading: string, file: string, name: string])[] = [
    ['`Exchange`', 'core/contract/exchange.ts', 'Exchange'],
    ['`Auth`', 'core/contract/exchange.ts', 'Auth'],
    ['`HttpExchange` has besides', 'core/contract/http-exchange.ts', 'HttpExchange'],
    ['`CommitEvent`', 'core/contract/engine-stages.ts', 'CommitEvent'],
    ['`CommittedWrite`', 'core/contract/committed-write.ts', 'CommittedWrite'],
    ['`MutationCall`', 'core/contract/mutation-call.ts', 'MutationCall'],
    ['`WriteContribution`', 'core/contract/write-contribution.ts', 'WriteContribution'],
  ]
  for (const [heading, file, name] of tables) {
    const members = membersOf(file, name)
    t.ok(members.length > 2, `${name} is found`)
    t.strictSame(rowsOf(plugins, heading), members, name)
  }
})

t.test('the guide to mutations names every status, and every column that is read', async (t) => {
  for (const word of [...SUCCESS, ...FAILURE]) t.match(mutations, new RegExp(`\\| .*\`${word}\``), word)
  const source = read('core/dialects/postgres/mutation/record.ts')
  const columns = [...source.matchAll(/(?:text|json|has|column)\((?:columns, )?'(\w+)'\)/g)].map(([, name]) => name)
  t.ok(columns.includes('updated_fields') && columns.includes('error_detail'), 'the columns are found')
  for (const name of new Set(columns)) t.match(mutations, `\`${name}\``)
  const classes = /const CLASSES[^=]*= \{(.*?)^\}/ms.exec(read('core/engine/plan/write/write-status.ts'))?.[1] ?? ''
  const names = [...classes.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
  t.equal(names.length, 10)
  for (const name of names) t.match(mutations, `\`${name}\``)
})
