import { installCommand } from '../../core/base/packages/install-command.ts'
import { REDIS_PACKAGE } from '../../core/service/stores/redis.ts'
import { listManifests } from './config-sections.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

/** Measured with the packed package in empty folders. "Before" is the commit that made them optional peers. */
const SIZES = [
  ['svc, with PostgreSQL', '136 MB, 117 packages', '59 MB, 63 packages'],
  ['svc, with PGlite', '136 MB, 117 packages', '85 MB, 64 packages'],
  ['a new project of `svc init`, with TypeScript and PGlite', '166 MB, 119 packages', '118 MB, 68 packages'],
] as const

/** docs/reference/packages.md */
export function renderPackagesPage(): Page {
  const stores = listManifests().filter(({ options }) => {
    const properties = (options?.properties ?? {}) as Readonly<Record<string, unknown>>
    return 'kvstore_url' in properties
  })
  const rows = [
    ...listManifests().flatMap(({ name, packages = [] }) =>
      packages.map((need) => [`[${name}](../plugins/${name}.md)`, need.for, code(installCommand(need.names))]),
    ),
    [
      stores.map(({ name }) => `[${name}](../plugins/${name}.md)`).join(', '),
      `${code('kvstore_url')}, where it is used`,
      code(installCommand(REDIS_PACKAGE.names)),
    ],
  ]
  const content = `# Optional packages

${GENERATED}

\`npm install\` of svc brings the packages that every service needs. A package that one driver, bus or format needs is an
optional peer: npm does not install it by itself. Install it in the project, so that it is in \`package.json\` and in the
image of the service.

${toTable(['Plugin', 'Needed for', 'Command'], rows)}

- \`svc init\` writes the package of the database into \`package.json\`.
- \`svc doctor\` lists missing packages, with one command for all of them.
- A service, \`svc compile\` or \`svc serve\` that meets a missing package ends with \`SVC_PACKAGE_MISSING\`. The message names
  the plugin, the reason and the command for your installation: \`npm install\`, \`npm install --global\`, \`pnpm add\`, or
  \`npx -p svc-server -p PACKAGE svc …\`.
- Versions are those that the tests use. The command installs the newest version that the range of svc permits. PGlite and
  its pgvector are pinned: the build contains an initialised database for that version.

If a project has another version of such a package for its own code, outside of svc's range, npm reports the conflict
(\`ERESOLVE\`).

## Installed size

\`node_modules\` after \`npm install\` (\`du -sm\`), on Node 20 and Linux x64:

${toTable(['Use', 'As dependencies (before)', 'As optional peers (now)'], SIZES)}

\`npm run try:package\` measures and limits it.
`
  return { path: 'docs/reference/packages.md', content }
}
