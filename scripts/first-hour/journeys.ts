/** One step of a user. Exactly one of `run`, `serve`, `edit` and `write` is set. */
export interface Step {
  /** Command line that ends. */
  readonly run?: string
  /** Command line that goes on until the end of the journey. */
  readonly serve?: string
  /** File in which `find` is replaced by `put`. */
  readonly edit?: string
  readonly find?: string
  readonly put?: string
  /** File that is written, with its text. */
  readonly write?: string
  readonly text?: string
  /** Output that the step must have. After an edit: further output of the server. */
  readonly expect?: RegExp
  /** Exit code of the command; default 0. */
  readonly code?: number
  /** The step is a mistake of the user, and its output the message. */
  readonly mistake?: true
  /** Most lines of output on the page; default 6. */
  readonly lines?: number
}

/** The first hour of one kind of user. */
export interface Journey {
  readonly title: string
  /** What the user has and does. */
  readonly text: string
  /** Folder below that of the user. Steps that change the folder begin with `cd`. */
  readonly folder: string
  readonly steps: readonly Step[]
}

/** The URL as the page shows it. The script serves a database of its own in its place. */
export const URL_OF_PAGE = 'postgres://postgres@localhost/chinook'

const query = (text: string): string =>
  `curl -s localhost:8080/graphql -H 'content-type: application/json' -d '${JSON.stringify({ query: text })}'`

const ALBUMS = '{ albums(limit: 1) { items { title artist { name } } } }'

export const JOURNEYS: readonly Journey[] = [
  {
    title: 'A PostgreSQL database, without a project',
    text: 'A database exists: here the eleven tables of Chinook, a music store. One command serves it, read-only.',
    folder: 'try',
    steps: [
      { run: 'npm install svc@file:../svc-server-0.1.0.tgz', expect: /added \d+ packages/ },
      { serve: `npx svc serve ${URL_OF_PAGE}`, expect: /Stop with Ctrl\+C/, lines: 8 },
      { run: query(ALBUMS), expect: /For Those About To Rock.*AC\/DC/ },
      { run: "curl -s 'localhost:8080/rest/v1/artists?limit=1'", expect: /AC\/DC/ },
      {
        run: query('{ albums(limit: 1) { items { titel } } }'),
        expect: /Did you mean \\"title\\"/,
        mistake: true,
      },
      {
        run: 'npx svc serve postgres://postgres@localhost:5433/chinook',
        expect: /^error: Port: nothing listens on port 5433/m,
        code: 3,
        mistake: true,
      },
      {
        run: 'npx svc serve postgres://postgres@localhost/chinok',
        expect: /^error: Database: .*chinok/m,
        code: 3,
        mistake: true,
      },
    ],
  },
  {
    title: 'An SQLite file, without a project',
    text: 'The same tables in a file. Node before 22.5 needs a package that reads SQLite.',
    folder: 'try',
    steps: [
      { run: 'npm install node-sqlite3-wasm', expect: /added \d+ package|up to date/ },
      { serve: 'npx svc serve chinook.db', expect: /Stop with Ctrl\+C/, lines: 3 },
      { run: query(ALBUMS), expect: /For Those About To Rock.*AC\/DC/ },
      { run: "curl -s 'localhost:8080/rest/v1/artists?limit=1'", expect: /AC\/DC/ },
      { run: 'npx svc serve chinok.db', expect: /^error: There is no file chinok\.db/m, code: 2, mistake: true },
    ],
  },
  {
    title: 'A project from a database, with writes',
    text: 'The schema becomes a file that you edit, and `--crud` adds SQL functions that write.',
    folder: 'try',
    steps: [
      { run: `npx svc init shop --database ${URL_OF_PAGE} --crud`, expect: /^Created shop:/m, lines: 4 },
      { run: 'cd shop && npm install', expect: /added \d+ packages/ },
      { run: 'cd shop && npx svc db apply', expect: /\S/, lines: 3 },
      { run: 'cd shop && npx svc compile', expect: /✓ 11 types/ },
      { serve: 'cd shop && SVC_SECURITY__DEFAULT_POLICY=public npx svc run', expect: /graphql/i },
      { run: query(ALBUMS), expect: /For Those About To Rock.*AC\/DC/ },
      {
        run: query('mutation { createArtist(input: { id: "1000", name: "Ada" }) { id name } }'),
        expect: /"name":"Ada"/,
      },
      { edit: 'shop/schema.ts', find: '@field(String) title!: string', put: '@field(String) titel!: string' },
      { run: 'cd shop && npx svc compile', expect: /schema\.ts:\d+.*titel/, code: 1, mistake: true },
      { edit: 'shop/schema.ts', find: '@field(String) titel!: string', put: '@field(String) title!: string' },
    ],
  },
  {
    title: 'A typed client of this project',
    text: 'Clients in TypeScript and Python have no dependencies. They call the service, which runs as before.',
    folder: 'try/shop',
    steps: [
      { serve: 'SVC_SECURITY__DEFAULT_POLICY=public npx svc run', expect: /graphql/i },
      { run: 'npx svc generate --client typescript -o client.ts', expect: /client\.ts: 22 queries/ },
      {
        write: 'use.ts',
        text: `import { createClient } from './client.ts'

const api = createClient({ url: 'http://localhost:8080/graphql' })
const { items } = await api.query.albums({ limit: 1 }, { items: { title: true, artist: { name: true } } })
console.log(items[0]?.title, items[0]?.artist.name)
`,
      },
      { run: 'npx tsc -p .' },
      { run: 'npx tsx use.ts', expect: /For Those About To Rock.*AC\/DC/ },
      { edit: 'use.ts', find: 'items[0]?.title,', put: 'items[0]?.titel,' },
      { run: 'npx tsc -p .', expect: /use\.ts.*titel/, code: 1, mistake: true },
      { run: 'npx svc generate --client python -o svc_client.py', expect: /svc_client\.py: 22 queries/ },
      {
        write: 'use.py',
        text: `from svc_client import Client

client = Client("http://localhost:8080/graphql")
print(client.query.albums(limit=1, select={"items": {"title": True}}).items[0].title)
`,
      },
      { run: 'python3 use.py', expect: /For Those About To Rock/ },
    ],
  },
  {
    title: 'A new project, and its daily loop',
    text: 'No database exists. The template `blog` brings one, in an embedded PostgreSQL, and `svc dev` follows the files.',
    folder: 'new',
    steps: [
      { run: 'npm install svc@file:../svc-server-0.1.0.tgz', expect: /added \d+ packages/ },
      { run: 'npx svc init --template blog', expect: /^Created a project/m, lines: 4 },
      { run: 'npm install', expect: /added \d+ package|up to date/ },
      { serve: 'npx svc dev', expect: /graphql/i },
      { run: query('{ posts(limit: 1) { title author { name } } }'), expect: /"title":"[^"]+","author"/ },
      {
        edit: 'schema.ts',
        find: '@field(String) title!: string',
        put: "@field(String) title!: string\n  @field(String, { column: 'title' }) heading!: string",
        expect: /✓|compiled|reload/i,
      },
      { run: query('{ posts(limit: 1) { heading } }'), expect: /"heading":"[^"]+"/ },
      {
        edit: 'schema.ts',
        find: "{ column: 'title' }",
        put: "{ column: 'titel' }",
        expect: /titel/,
        mistake: true,
      },
    ],
  },
]
