import { dirname, join } from 'node:path'
import t from 'tap'
import { importsOf, listFiles, read } from './source-files.ts'

/**
 * Which room may import which (docs/explain/architecture.md#rooms). Keys and values are path prefixes. A file may always import its own
 * room. `core/util` and `core/signals` are leaves, which every room may import.
 */
const LEAVES = ['core/errors', 'core/util', 'core/signals']
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'core/errors': ['core/util'],
  'core/util': [],
  'core/signals': ['core/util', 'core/errors', 'core/config/redact.ts'],
  // What a custom scalar wants of its values is compiled where the schema is linked, so that no loader can forget it.
  'core/schema': [...LEAVES, 'core/validation/scalar-check.ts'],
  // A language, and what it calculates with.
  'core/expression': ['core/util'],
  // Rules for what clients send, held against an operation.
  'core/changes': ['core/util', 'core/expression', 'core/schema', 'core/contract'],
  'core/validation': [...LEAVES, 'core/schema', 'core/contract', 'core/expression', 'core/plan/arguments-of.ts'],
  // Types alone; an operation is made of schema elements (docs/explain/decisions/0001-schema-types-in-the-front-contract.md).
  // The driver's end names its dialect.
  'core/contract': [...LEAVES, 'core/schema', 'core/dialects/dialect.ts'],
  'core/kernel': [...LEAVES, 'core/schema', 'core/contract'],
  // What authorize decided: conditions have the operators and the shape of filters.
  'core/access': [
    ...LEAVES,
    'core/schema',
    'core/contract',
    'core/plan/conditions/operators.ts',
    'core/plan/conditions/filter-shape.ts',
  ],
  'core/lifecycle': [
    ...LEAVES,
    'core/kernel',
    'core/contract',
    'core/schema',
    'core/access',
    'core/validation/validate-operation.ts',
    'core/inputs/default-selection.ts',
  ],
  // A tree: no SQL, no bytes.
  'core/plan': [...LEAVES, 'core/schema', 'core/contract'],
  // What clients may give to operations, the same for every front.
  'core/inputs': [...LEAVES, 'core/schema', 'core/plan', 'core/contract'],
  'core/sql': [...LEAVES, 'core/contract'],
  'core/json': [...LEAVES, 'core/contract', 'core/schema'],
  // The one room that writes SQL.
  'core/dialects': [...LEAVES, 'core/plan', 'core/sql', 'core/json', 'core/schema', 'core/contract'],
  'core/execute': [
    ...LEAVES,
    'core/plan',
    'core/json',
    'core/dialects/dialect.ts',
    'core/dialects/prepared-read.ts',
    'core/dialects/prepared-stream.ts',
    'core/dialects/prepared-write.ts',
    'core/access',
    'core/kernel',
    'core/contract',
    'core/schema',
  ],
  // What outlives a request: keys and values, tables of plugins.
  'core/stores': [...LEAVES, 'core/contract'],
  'core/tables': [...LEAVES, 'core/contract', 'core/kernel'],
  'core/http': [...LEAVES, 'core/kernel', 'core/lifecycle', 'core/contract', 'core/schema'],
  'core/authoring': [...LEAVES, 'core/schema', 'core/plan/conditions/operators.ts'],
  'core/compiler': [
    ...LEAVES,
    'core/schema',
    'core/plan/conditions/operators.ts',
    'core/plan/write/write-form.ts',
    'core/plan/write/payload-slot.ts',
    'core/authoring',
    'core/contract/database.ts',
    'core/expression',
    'core/validation/condition-scope.ts',
    'core/validation/scalar-check.ts',
  ],
  // What an artifact needs, held against a catalog.
  'core/drift': [...LEAVES, 'core/schema', 'core/contract/database.ts', 'core/plan/write/write-form.ts'],
  'core/config': [...LEAVES, 'core/kernel', 'core/schema', 'core/contract'],
  'core/cli': ['core', 'presets'],
  'core/app.ts': ['core', 'presets'],
  'core/compose-service.ts': [
    'core/access/session-variables.ts',
    'core/contract',
    'core/http',
    'core/kernel',
    'core/lifecycle',
    'core/observers-of.ts',
    'core/signals',
  ],
  'core/load-schema.ts': ['core/schema', 'core/errors', 'core/util', 'core/authoring/scalar-functions.ts'],
  'core/served-databases.ts': [
    'core/open-database.ts',
    'core/execute/check-dialect.ts',
    'core/contract',
    'core/schema',
    'core/signals',
  ],
  'core/observers-of.ts': ['core/contract', 'core/http', 'core/kernel', 'core/lifecycle', 'core/signals'],
  'core/open-database.ts': ['core/contract', 'core/errors', 'core/signals'],
  'core/testing.ts': ['core', 'presets'],
  'core/testing-compile.ts': ['core'],
  'core/testing-config.ts': ['core/config', 'core/contract', 'core/util'],
  'core/testing-engine.ts': ['core/contract', 'core/dialects', 'core/errors', 'core/execute'],
  'core/testing-exchange.ts': ['core/contract', 'core/lifecycle', 'core/schema'],
  'core/testing-instance.ts': ['core/kernel'],
  'core/testing-inputs.ts': ['core/contract', 'core/schema'],
  'core/testing-reports.ts': ['core/errors', 'core/kernel', 'core/signals'],
  'core/testing-writes.ts': ['core/contract', 'core/errors', 'core/util'],
  'core/doors': ['core'],
  presets: ['core/kernel', 'core/errors', 'core/util', 'core/config', 'plugins'],
}
/** Of processes of plugins' own, for which a door is too much to load: what they may have of core. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  'plugins/sqlite/child': ['core/expression/pattern'],
}
/** Heavy or dangerous packages and the only files that may touch them. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  avvio: ['core/kernel/boot.ts'],
  'fastify-plugin': ['core/kernel/plugin.ts', 'core/kernel/to-plugin.ts'],
  pg: ['plugins/postgres/'],
  'pg-cursor': ['plugins/postgres/'],
  '@electric-sql/pglite': ['plugins/pglite/'],
  'node-sqlite3-wasm': ['plugins/sqlite/'],
  graphql: ['plugins/graphql/'],
  'find-my-way': ['core/http/router.ts'],
  ioredis: ['core/stores/', 'plugins/observers/bus/'],
  mysql2: ['plugins/observers/bus/'],
  '@nats-io': ['plugins/observers/bus/'],
  nodemailer: ['plugins/observers/'],
  undici: ['plugins/observers/', 'plugins/subscriptions/hooks/'],
  ws: ['plugins/subscriptions/'],
  jose: ['plugins/jwt/'],
  '@node-rs/argon2': ['plugins/api-keys/'],
  pino: ['core/signals/log.ts'],
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
          target.startsWith('core/doors/') || target.startsWith(`${own}/`) || declared || child,
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

t.test('presets name plugins by manifest and import() only', async (t) => {
  for (const file of listFiles('presets', '.ts')) {
    for (const specifier of importsOf(read(file)).filter((s) => s.includes('plugins/'))) {
      const dynamic = read(file).includes(`import('${specifier}')`)
      t.ok(specifier.endsWith('/manifest.ts') || dynamic, `${file}: ${specifier}`)
    }
  }
})
