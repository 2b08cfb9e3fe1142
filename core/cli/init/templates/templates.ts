import { SvcError } from '../../../base/errors/svc-error.ts'
import { didYouMean } from '../../../base/util/nearest.ts'
import { FUNCTIONS_SQL } from './blog-functions.ts'
import { SCHEMA_TS } from './blog-schema.ts'
import { DATA_SQL, TABLES_SQL, VIEWS_SQL } from './blog-scripts.ts'
import { SCRIPTS } from './blog-sqlite-scripts.ts'
import { TABLES_SQL as SQLITE_TABLES_SQL } from './blog-sqlite-tables.ts'
import { CRUD } from './crud.ts'
import { EVENTS } from './events.ts'
import { MULTI_TENANT } from './multi-tenant.ts'
import { PYTHON_SCHEMAS } from './python-schemas.ts'
import type { InitDatabase, Template } from './template.ts'

const BLOG_TEST = `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestedProject, testProject } from 'svc/testing'

let project: TestedProject
before(async () => {
  project = await testProject()
})
after(() => project.close())

test('a post is created as a draft, and published', async () => {
  const create = \`mutation { createPost(input: {
    authorId: "00000000-0000-4000-8000-000000000001", title: "Hello", body: "…", tags: ["engines"]
  }) { id slug status } }\`
  const { createPost } = (await project.graphql(create)).data
  assert.equal(createPost.slug, 'hello')
  assert.equal(createPost.status, 'DRAFT')
  const { data } = await project.graphql(\`mutation { publishPost(id: "\${createPost.id}") { status tags { tag { name } } } }\`)
  assert.deepEqual(data.publishPost, { status: 'PUBLISHED', tags: [{ tag: { name: 'engines' } }] })
})

test('a post of an unknown author is refused', async () => {
  const create = \`mutation { createPost(input: {
    authorId: "00000000-0000-4000-8000-000000000009", title: "Nothing", body: "…"
  }) { id } }\`
  assert.equal((await project.graphql(create)).errors?.[0]?.extensions.code, 'NOT_FOUND')
})
`

/** Authors, posts, comments and tags: relations and functions. */
const BLOG: Template = {
  schema: SCHEMA_TS,
  test: BLOG_TEST,
  policy: 'public',
  more: '',
  // Both databases use the same views and rows.
  files: {
    pglite: {
      'db/01_tables.sql': TABLES_SQL,
      'db/02_views.sql': VIEWS_SQL,
      'db/03_functions.sql': FUNCTIONS_SQL,
      'db/04_data.sql': DATA_SQL,
    },
    sqlite: {
      'db/01_tables.sql': SQLITE_TABLES_SQL,
      'db/02_views.sql': VIEWS_SQL,
      'db/03_data.sql': DATA_SQL,
      ...Object.fromEntries(Object.entries(SCRIPTS).map(([name, sql]) => [`db/functions/${name}.sql`, sql])),
    },
  },
  tryIt: `    {
      posts(where: { status: { _eq: PUBLISHED } }, orderBy: [{ publishedAt: DESC }], limit: 10) {
        title
        author { name }
        tags { tag { name } }
        comments { body author { name } }
      }
    }

    mutation {
      createPost(input: {
        authorId: "00000000-0000-4000-8000-000000000001", title: "Hello", body: "…", tags: ["engines"]
      }) { id slug status }
    }

Add a field: a column in \`tb_post\` and \`v_post\`, a line in \`schema.ts\`, then \`npx svc compile\`. It says what does not fit.
`,
}

const TEMPLATES = { blog: BLOG, crud: CRUD, 'multi-tenant': MULTI_TENANT, events: EVENTS } as const

/** Names of the templates that `svc init --template` accepts. */
export const TEMPLATE_NAMES: readonly string[] = Object.keys(TEMPLATES)

/** A template for a kind of database. */
export interface ChosenTemplate extends Template {
  /** Files of the folder db/. */
  readonly database: Readonly<Record<string, string>>
  /** Content of schema.py. */
  readonly python: string
}

/**
 * Returns the template with this name, and in `database` its files for the chosen kind of database.
 * @throws SvcError SVC_USAGE for an unknown name, and for a kind of database that the template cannot use
 */
export function findTemplate(name: string, database: InitDatabase): ChosenTemplate {
  const template: Template | undefined = Object.hasOwn(TEMPLATES, name)
    ? TEMPLATES[name as keyof typeof TEMPLATES]
    : undefined
  if (template === undefined) {
    const hint = didYouMean(name, TEMPLATE_NAMES)
    const message = `There is no template "${name}".${hint} Templates: ${TEMPLATE_NAMES.join(', ')}.`
    throw new SvcError('SVC_USAGE', `${message}\nSee: svc init --help`)
  }
  const files = template.files[database]
  if (files !== undefined)
    return { ...template, database: files, python: PYTHON_SCHEMAS[name as keyof typeof TEMPLATES] }
  const others = Object.keys(template.files).join(', ')
  throw new SvcError(
    'SVC_USAGE',
    `The template "${name}" cannot use ${database}: its observers and subscriptions need PostgreSQL. Use --database ${others}, or another template.`,
  )
}
