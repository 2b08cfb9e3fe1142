import { dirname, join } from 'node:path'
import t from 'tap'
import { importsOf, listFiles, read } from './source-files.ts'

/**
 * Which room may import which (docs/explain/architecture.md#rooms). Keys and values are path prefixes. A file may always import its own
 * room. Every room may import `core/base`, which imports nothing of the other rooms.
 */
const LEAVES = ['core/base']
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'core/base/errors': ['core/base/util'],
  'core/base/packages': ['core/base/util', 'core/base/errors'],
  'core/base/util': [],
  'core/service/signals': ['core/base', 'core/contract', 'core/config'],
  // The link compiles the rules of custom scalars, so that no loader can omit them.
  'core/schema': [...LEAVES, 'core/expression'],
  // A language, and what it calculates with.
  'core/expression': ['core/base/util'],
  // Rules for what clients send, held against an operation.
  'core/engine/changes': ['core/base/util', 'core/expression', 'core/schema', 'core/contract'],
  'core/engine/validation': [...LEAVES, 'core/schema', 'core/contract', 'core/engine/plan'],
  // Types alone; an operation is made of schema elements (docs/explain/decisions/0001-schema-types-in-the-front-contract.md).
  'core/contract': ['core/base', 'core/schema'],
  'core/kernel': ['core/base', 'core/contract'],
  // Conditions of `authorize` are planned, so templates differ by the shape of their filters.
  'core/engine/access': [...LEAVES, 'core/schema', 'core/contract', 'core/engine/plan'],
  'core/service/lifecycle': [
    ...LEAVES,
    'core/service/signals',
    'core/kernel',
    'core/contract',
    'core/schema',
    'core/engine/access',
    'core/engine/validation',
    'core/engine/inputs',
  ],
  // A tree: no SQL, no bytes.
  'core/engine/plan': [...LEAVES, 'core/schema', 'core/contract'],
  // What clients may give to operations, the same for every front.
  'core/engine/inputs': [...LEAVES, 'core/schema', 'core/engine/plan', 'core/contract'],
  'core/engine/sql': [...LEAVES, 'core/contract'],
  'core/engine/json': [...LEAVES, 'core/contract', 'core/schema'],
  // The one room that writes SQL.
  'core/dialects': [
    ...LEAVES,
    'core/engine/plan',
    'core/engine/sql',
    'core/engine/json',
    'core/schema',
    'core/contract',
  ],
  'core/engine/engine-stages.ts': ['core/contract'],
  'core/engine/execute': [
    ...LEAVES,
    'core/engine/plan',
    'core/engine/json',
    'core/engine/access',
    'core/contract',
    'core/schema',
  ],
  // Connections of drivers.
  'core/pool': [...LEAVES, 'core/contract'],
  // What outlives a request: keys and values, tables of plugins.
  'core/service/stores': [...LEAVES, 'core/service/signals', 'core/contract'],
  'core/service/tables': [...LEAVES, 'core/service/signals', 'core/contract', 'core/kernel'],
  'core/service/plugins': [
    ...LEAVES,
    'core/service/signals',
    'core/contract',
    'core/schema',
    'core/kernel',
    'core/engine',
    'core/service/lifecycle',
  ],
  'core/service/http': [
    ...LEAVES,
    'core/service/signals',
    'core/kernel',
    'core/service/lifecycle',
    'core/service/plugins',
    'core/contract',
    'core/schema',
  ],
  // Options of the decorators for keys that plugins own.
  'core/authoring': [...LEAVES, 'core/schema', 'presets/authored-keys.ts'],
  'core/compiler': [...LEAVES, 'core/schema', 'core/authoring', 'core/contract', 'core/expression'],
  // From the model of a database to a schema, and from a schema to its source.
  'core/introspect': [...LEAVES, 'core/schema', 'core/contract'],
  // A schema, held against the model of its database.
  'core/advise': [
    ...LEAVES,
    'core/schema',
    'core/contract',
    'core/introspect',
    'core/dialects/view-shape',
    'core/engine/plan/rows',
  ],
  // What an artifact needs, held against a catalog.
  'core/service/drift': [...LEAVES, 'core/service/signals', 'core/schema', 'core/contract'],
  'core/config': [...LEAVES, 'core/kernel', 'core/schema', 'core/contract'],
  'core/cli': ['core', 'presets'],
  'core/service/app.ts': ['core', 'presets'],
  'core/service/compose-service.ts': [
    'core/engine/access',
    'core/contract',
    'core/service/http',
    'core/kernel',
    'core/service/plugins',
    'core/service/lifecycle',
    'core/service/signals',
  ],
  'core/service/load-schema.ts': ['core/schema', 'core/base/errors', 'core/base/util', 'core/authoring'],
  'core/service/served-databases.ts': ['core/service', 'core/engine/execute', 'core/contract', 'core/schema'],
  'core/service/open-database.ts': ['core/contract', 'core/base/errors', 'core/service/signals'],
  'core/testing/testing.ts': ['core', 'presets'],
  'core/testing/compile.ts': ['core', 'presets'],
  'core/testing/config.ts': ['core/config', 'core/contract', 'core/base/util'],
  'core/testing/engine.ts': ['core/contract', 'core/dialects', 'core/base/errors', 'core/engine/execute'],
  'core/testing/exchange.ts': ['core/contract', 'core/service/lifecycle', 'core/schema'],
  'core/testing/instance.ts': ['core/config', 'core/contract', 'core/kernel'],
  'core/testing/inputs.ts': ['core/contract', 'core/schema'],
  'core/testing/project.ts': ['core', 'presets'],
  'core/testing/reports.ts': ['core/base/errors', 'core/contract', 'core/kernel', 'core/service/signals'],
  'core/testing/writes.ts': ['core/contract', 'core/base/errors', 'core/base/util'],
  'core/doors': ['core', 'presets/authored-keys.ts'],
  presets: ['core/kernel', 'core/base/errors', 'core/base/util', 'core/config', 'plugins'],
}
/** Of processes of plugins' own, for which a door is too much to load: what they may have of core. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  'plugins/sqlite/child': ['core/expression/pattern'],
}
/** Heavy or dangerous packages and the only files that may touch them. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  avvio: ['core/kernel/boot.ts'],
  'fastify-plugin': ['core/kernel/plugin.ts', 'core/config/to-plugin.ts'],
  pg: ['plugins/postgres/'],
  'pg-cursor': ['plugins/postgres/'],
  '@electric-sql/pglite': ['plugins/pglite/'],
  'node-sqlite3-wasm': ['plugins/sqlite/'],
  // Commands read SDL and documents of clients, and load these files when they run.
  graphql: ['plugins/graphql/', 'core/cli/diff/', 'core/cli/generate/'],
  'find-my-way': ['core/service/http/router.ts'],
  ioredis: ['core/service/stores/', 'plugins/observers/bus/'],
  mysql2: ['plugins/mysql/', 'plugins/observers/bus/'],
  '@nats-io': ['plugins/observers/bus/'],
  nodemailer: ['plugins/observers/'],
  undici: ['plugins/observers/', 'plugins/subscriptions/hooks/'],
  ws: ['plugins/subscriptions/'],
  jose: ['plugins/jwt/'],
  '@node-rs/argon2': ['plugins/api-keys/'],
  pino: ['core/service/signals/log.ts'],
  'smol-toml': ['core/config/'],
}

const files = [...listFiles('core', '.ts'), ...listFiles('plugins', '.ts'), ...listFiles('presets', '.ts')]

function roomOf(path: string): string | null {
  return Object.keys(MAY_IMPORT).find((room) => path === room || path.startsWith(`${room}/`)) ?? null
}

t.test('imports run one way', async (t) => {
  for (const file of files) {
    const room = roomOf(file)
    for (const specifier of importsOf(read(file))) {
      if (!specifier.startsWith('.')) {
        const allowed = Object.entries(ONLY_IN).find(([name]) => specifier === name || specifier.startsWith(`${name}/`))
        if (allowed)
          t.ok(
            allowed[1].some((p) => file.startsWith(p)),
            `${file} imports ${specifier}: only ${allowed[1].join(', ')} may`,
          )
        continue
      }
      const target = join(dirname(file), specifier)
      t.ok(/\.(ts|mjs|json)$/.test(specifier), `${file}: ${specifier} names the file with its ending`)
      if (file.startsWith('plugins/')) {
        const own = file.split('/').slice(0, 2).join('/')
        const declared = /^plugins\/[^/]+\/api\.ts$/.test(target)
        const child = CHILDREN[dirname(file)]?.some((p) => target.startsWith(`${p}/`)) === true
        t.ok(
          /^core\/doors\/[\w-]+\.ts$/.test(target) || target.startsWith(`${own}/`) || declared || child,
          `${file} imports ${target}: a plugin sees core/doors, its own files and plugins/<dependency>/api.ts`,
        )
        continue
      }
      t.not(room, null, `${file} stands in a room of the table`)
      if (room === null || target.startsWith(`${room}/`) || target === room) continue
      const allowed = MAY_IMPORT[room]!
      t.ok(
        allowed.some((p) => target === p || target.startsWith(`${p}/`)),
        `${file} imports ${target}: ${room} may import ${allowed.join(', ')}`,
      )
    }
  }
})

t.test('no two folders of core import each other', async (t) => {
  const folderOf = (path: string) => path.split('/').slice(0, 2).join('/')
  const edges = new Set<string>()
  for (const file of listFiles('core', '.ts')) {
    for (const specifier of importsOf(read(file)).filter((s) => s.startsWith('.'))) {
      const target = join(dirname(file), specifier)
      if (target.startsWith('core/')) edges.add(`${folderOf(file)} ${folderOf(target)}`)
    }
  }
  t.ok(edges.has('core/engine core/contract'), 'the imports are found')
  for (const edge of edges) {
    const [from, to] = edge.split(' ')
    t.notOk(from !== to && edges.has(`${to} ${from}`), `${from} and ${to} do not import each other`)
  }
})

t.test('presets name plugins by manifest, schema keys and import() only', async (t) => {
  for (const file of listFiles('presets', '.ts')) {
    for (const specifier of importsOf(read(file)).filter((s) => s.includes('plugins/'))) {
      const dynamic = read(file).includes(`import('${specifier}')`)
      t.ok(/\/(manifest|schema-keys)\.ts$/.test(specifier) || dynamic, `${file}: ${specifier}`)
    }
  }
})
