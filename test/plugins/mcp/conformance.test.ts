import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { entry } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import fixtures from './fixtures.ts'
import { openWorld } from './world.ts'

t.setTimeout(400_000)

/**
 * The official suite against a service whose schema is the library's and whose fixture tools come from a plugin. It is no dependency of
 * ours and wants Node 22: CI installs it with one into a folder, which MCP_CONFORMANCE names.
 */
const FOLDER = process.env.MCP_CONFORMANCE

/** Scenarios of features that svc does not have. The page gives the reason for each of them. */
const EXCLUDED: readonly string[] = [
  'logging-set-level',
  'tools-call-with-logging',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-subscribe',
  'resources-unsubscribe',
  'server-sse-polling',
]

const PAGE = readFileSync(new URL('../../../docs/plugins/mcp.md', import.meta.url), 'utf8').split('\n')

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

function run(args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const root = String(FOLDER)
  const own = join(root, 'node_modules/node/bin/node')
  const node = existsSync(own) ? own : process.execPath
  const cli = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  return new Promise((resolve) => {
    execFile(node, [cli, ...args], { timeout: 120_000, maxBuffer: 64_000_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: `${stdout}${stderr}` }),
    )
  })
}

// Runs without the suite, too, so that a change of the page alone cannot break the step of CI that has the suite.
t.test('the page gives the reason for each excluded scenario', async (t) => {
  const start = PAGE.findIndex((line) => line.startsWith('| Scenarios | Reason |'))
  const end = PAGE.findIndex((line, at) => at > start && line === '')
  const rows = PAGE.slice(start + 2, end)
  const names = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
  // Extensions are families of names that the suite marks itself.
  const families = ['tasks-*', 'sep-2640-skills-*']
  t.same(names.sort(), [...EXCLUDED, ...families].sort())
  for (const row of rows) t.match(row.split('|')[2], /\w+ \w+ \w+/, row)
})

t.test('the official conformance suite', async (t) => {
  // Where its Node is: the step of CI with the newest one. To skip it elsewhere would be to miss a service.
  if (FOLDER === undefined) return t.pass('MCP_CONFORMANCE names no folder')
  if (!(await requireService(t, 'postgres'))) return
  const app = await openWorld(t, { plugins: [entry(fixtures)] })
  const url = `${(await app.listen()).replace('127.0.0.1', 'localhost')}/mcp`
  const { out: list } = await run(['list', '--server'])
  const scenarios = [...list.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name = '', revisions = '']) => ({
    name,
    revisions: revisions.split(','),
  }))
  t.ok(scenarios.length > 40, 'the scenarios are listed')
  for (const name of EXCLUDED)
    t.ok(
      scenarios.some((one) => one.name === name),
      `${name} is one of them`,
    )
  for (const { name, revisions } of scenarios) {
    // Of extensions the page names the families.
    if (revisions.includes('extension') || EXCLUDED.includes(name)) continue
    const row = PAGE.find((line) => line.startsWith('| ') && line.includes(`\`${name}\``)) ?? ''
    t.ok(row.startsWith(`| ${revisions.join(', ')} |`), `${name}: its revisions`)
  }
  for (const revision of REVISIONS) {
    const wanted = scenarios.filter(({ name, revisions }) => revisions.includes(revision) && !EXCLUDED.includes(name))
    for (const { name } of wanted) {
      const { code, out } = await run(['server', '--url', url, '--scenario', name, '--spec-version', revision])
      t.equal(code, 0, `${revision} ${name}: ${code === 0 ? '' : out.slice(-3000)}`)
      t.match(out, /passed|SUCCESS|INFO|SKIPPED/i, `${revision} ${name} was run`)
    }
  }
})
