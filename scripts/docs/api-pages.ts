import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Declaration, exportsOf } from './declarations.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'
import { flatten, idOf, unexportedTypes } from './unexported-types.ts'

type Stability = 'stable' | 'experimental'
/** One public entry of the package. */
interface Door {
  readonly specifier: string
  readonly page: string
  /** Source file, relative to the repository, without its ending. */
  readonly source: string
  readonly readers: string
  /** Stability of names without their own tag (`@experimental`). */
  readonly stability: Stability
}

export const DOORS: readonly Door[] = [
  { specifier: 'svc', page: 'svc', source: 'core/doors/plugin', readers: 'Authors of plugins.', stability: 'stable' },
  {
    specifier: 'svc/front',
    page: 'front',
    source: 'core/doors/front',
    readers: 'Plugins that add a way in: a protocol, an endpoint, a stream.',
    stability: 'experimental',
  },
  {
    specifier: 'svc/driver',
    page: 'driver',
    source: 'core/doors/driver',
    readers: 'Plugins that add a database.',
    stability: 'experimental',
  },
  {
    specifier: 'svc/command',
    page: 'command',
    source: 'core/doors/command',
    readers: 'Plugins that add a command, a compile part, or a check of `svc doctor`.',
    stability: 'stable',
  },
  {
    specifier: 'svc/authoring',
    page: 'authoring',
    source: 'core/authoring/index',
    readers: 'Authors of schemas.',
    stability: 'stable',
  },
  {
    specifier: 'svc/graphql',
    page: 'graphql',
    source: 'plugins/graphql/index',
    readers: 'Plugins that add to the GraphQL schema or hook its stages.',
    stability: 'experimental',
  },
  {
    specifier: 'svc/testing',
    page: 'testing',
    source: 'core/testing/testing',
    readers: 'Tests of plugins and schemas.',
    stability: 'stable',
  },
  {
    specifier: 'svc/codegen',
    page: 'codegen',
    source: 'core/doors/codegen',
    readers: 'Projects with `@graphql-codegen/cli`.',
    stability: 'experimental',
  },
]

/** The reference of every public entry: each name with its signature, its TSDoc and a stability word. */
export function renderApiPages(): readonly Page[] {
  const folder = mkdtempSync(join(tmpdir(), 'svc-api-'))
  try {
    const root = fileURLToPath(new URL('../../', import.meta.url))
    const options = ['-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', folder]
    execFileSync(join(root, 'node_modules/.bin/tsc'), options, { stdio: 'inherit' })
    const doors = DOORS.map((door) => ({ door, names: exportsOf(join(folder, `${door.source}.d.ts`)) }))
    const exported = new Set(doors.flatMap(({ names }) => flatten(names).map(idOf)))
    const pages = doors.map(({ door, names }) => renderDoor(door, names, unexportedTypes(flatten(names), exported)))
    return [renderIndex(pages), ...pages.map(({ page }) => page)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface RenderedDoor {
  readonly door: Door
  readonly names: number
  readonly page: Page
}

type Names = ReadonlyMap<string, readonly Declaration[]>

/** @param unexported types that the names use and no entry exports */
function renderDoor(door: Door, names: Names, unexported: Names): RenderedDoor {
  const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1))
  const sections = sorted.map(([name, declarations]) => renderName(door, name, declarations))
  const content = `${GENERATED}

# ${code(door.specifier)}

${door.readers} ${sorted.length} names; [the other entries](README.md).

${sections.join('\n')}${renderUnexported(unexported)}`
  return { door, names: sorted.length, page: { path: `docs/reference/api/${door.page}.md`, content } }
}

function renderUnexported(unexported: Names): string {
  if (unexported.size === 0) return ''
  const sorted = [...unexported].sort(([a], [b]) => (a < b ? -1 : 1))
  const sections = sorted.map(([name, declarations]) => {
    const docs = declarations.map(({ doc }) => doc).filter((doc) => doc !== '')
    const signatures = declarations.map((each) => each.code).join('\n')
    return `### ${code(name)}\n\n${docs.map((doc) => `${doc}\n\n`).join('')}\`\`\`typescript\n${signatures}\n\`\`\`\n`
  })
  return `
## Types without an export

Members, arguments and results of the names above have these types. Write one as the type of its member:
\`Manifest['commands']\`.

${sections.join('\n')}`
}

/** @param within name of the namespace whose member it is; absent: none */
function renderName(door: Door, name: string, declarations: readonly Declaration[], within?: string): string {
  const docs = declarations.map(({ doc }) => doc).filter((doc) => doc !== '')
  const stability = docs.some((doc) => doc.includes('@experimental')) ? 'experimental' : door.stability
  const text = docs.map((doc) => doc.replace(/^@experimental\s*/m, '').trim()).join('\n\n')
  const kinds = [...new Set(declarations.map(({ kind }) => kind))].join(' and ')
  const heading = within === undefined ? `## ${code(name)}` : `### ${code(`${within}.${name}`)}`
  const members = declarations.flatMap((each) => [...(each.members ?? [])]).sort(([a], [b]) => (a < b ? -1 : 1))
  const signatures = declarations.map((each) => each.code).join('\n')
  const content =
    members.length > 0
      ? members.map(([member, of]) => renderName(door, member, of, name)).join('\n')
      : `\`\`\`typescript\n${signatures}\n\`\`\`\n`
  return `${heading}

${kinds} · ${stability}

${text === '' ? '' : `${text}\n\n`}${content}`
}

function renderIndex(pages: readonly RenderedDoor[]): Page {
  const rows = pages.map(({ door, names }) => [
    `[${code(door.specifier)}](${door.page}.md)`,
    door.readers,
    String(names),
    door.stability,
  ])
  const content = `${GENERATED}

# The API by entry

A package of a plugin imports these names. What no entry exports is internal and may change in any release.

${toTable(['Entry', 'Readers', 'Names', 'Stability'], rows)}

- **stable**: a name stays at least as long as the [deprecation policy](../deprecation.md) says.
- **experimental**: may change in a minor version; the changelog says how to follow.

A name with another stability than its entry says so beside its kind.
`
  return { path: 'docs/reference/api/README.md', content }
}
