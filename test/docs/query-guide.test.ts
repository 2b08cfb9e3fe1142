import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createPglite } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import type { TestLike } from '../helpers/services.ts'
import { ROOT, read } from '../repo/source-files.ts'

/** Every sample of the guide answers, and with rows: a sample that finds nothing shows nothing. */
t.setTimeout(180_000)

const EXAMPLE = 'examples/chinook'
/** With how many samples each has at least. */
const GUIDES = { query: 8, aggregates: 3 }

interface Sample {
  /** Line of the guide, for the name of the test. */
  readonly line: number
  readonly query: string
  readonly variables: object | undefined
}

/** The ```graphql blocks, each with the ```json block that follows it as its variables. */
function readSamples(guide: string): readonly Sample[] {
  const blocks = [...guide.matchAll(/^```(graphql|json)\n([\s\S]*?)^```$/gm)]
  return blocks.flatMap(([, language, text = ''], index) => {
    if (language !== 'graphql') return []
    const next = blocks[index + 1]
    return [
      {
        line: guide.slice(0, blocks[index]!.index).split('\n').length,
        query: text,
        variables: next?.[1] === 'json' ? (JSON.parse(next[2]!) as object) : undefined,
      },
    ]
  })
}

/** The rows of a root, whatever it wraps them in; `null` = it is no list. */
function rowsOf(root: unknown): readonly unknown[] | null {
  if (Array.isArray(root)) return root
  if (typeof root !== 'object' || root === null) return null
  if ('items' in root) return rowsOf(root.items)
  return 'edges' in root ? rowsOf(root.edges) : null
}

t.test('the samples of the guides', async (t) => {
  const sql = readdirSync(join(ROOT, EXAMPLE, 'db'))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readFileSync(join(ROOT, EXAMPLE, 'db', file), 'utf8'))
    .join('\n')
  const schema = JSON.parse(read(`${EXAMPLE}/schema.json`)) as AuthoredSchema
  const app = await openApp(t, { kind: 'pglite', url: await createPglite(t, { sql }) }, schema)
  for (const [name, least] of Object.entries(GUIDES)) {
    await t.test(name, async (t) => {
      const guide = read(`docs/guides/${name}.md`)
      const samples = readSamples(guide)
      t.equal(samples.length, guide.match(/^```graphql$/gm)?.length, 'all blocks are found')
      t.ok(samples.length >= least, `${samples.length} samples`)
      await runSamples(t, app, samples)
    })
  }
})

async function runSamples(t: TestLike, app: Awaited<ReturnType<typeof openApp>>, samples: readonly Sample[]) {
  for (const { line, query, variables } of samples) {
    await t.test(`line ${line}`, async (t) => {
      const { status, data, errors } = await app.graphql(query, variables)
      t.equal(status, 200)
      t.equal(errors, undefined)
      for (const [key, root] of Object.entries(data ?? {})) {
        t.not(root, null, `${key} is there`)
        const rows = rowsOf(root)
        if (rows !== null) t.ok(rows.length > 0, `${key} has rows`)
      }
    })
  }
}
