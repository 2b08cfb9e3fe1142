import type { AuthoredField, AuthoredQuery, AuthoredType } from '../../../core/schema/authored.ts'
import type { App } from '../../../core/service/app.ts'
import type { InjectResponse } from '../../../core/service/http/inject.ts'
import type { RouteKind } from '../../../plugins/rest/api.ts'

/** What stands behind every rule. Whoever is told this text has got past it. */
export const SECRET = 'the text that the rule guards'

/** Description of a field that the plugin of the matrix masks to everybody but keepers. */
export const MASKED_FIELD = 'Masked.'

export type Headers = Readonly<Record<string, string>>

/** One attempt, for an entrance to put in its own words. */
export interface Attempt {
  /** Query that gives the rows of the rule's type, and that type; each rule has its own. */
  readonly query: string
  readonly type: string
  /** Global id of the row, and its own, which REST has. */
  readonly id: string
  readonly key: string
  /** Query that gives the row by its own id, and mutation that changes it: `(id: ID!, input: SecretInput!)`. */
  readonly single: string
  /** Columnar query that gives the rows. */
  readonly columnar: string
  readonly mutation: string
  /** What a way in that writes puts into `note`. */
  readonly mark: string
  /** Subscription to changes of the rows, and how one comes about past every rule. */
  readonly subscription: string
  readonly touch: () => Promise<void>
  /** What observers of the type were sent of changes with that mark. */
  readonly observed: (mark: string) => string
  /** How long what comes by itself is waited for. */
  readonly patienceMs: number
  /** What is selected, in GraphQL. */
  readonly selection: string
  readonly headers: Headers
  readonly address: string
}

/** A row of the matrix: something that keeps somebody out. */
export interface MatrixRule {
  /** In words, for the page: "Scope of an operation". */
  readonly name: string
  /** Plugins whose hooks do it; `core`: the kernel. */
  readonly plugins: readonly string[]
  readonly type?: Partial<AuthoredType>
  readonly field?: Partial<AuthoredField>
  /** The secret is in another database, in a row that `far` leads to, and the rule is of its type, or of the field there. */
  readonly far?: Pick<MatrixRule, 'type' | 'field'>
  /** Of the queries, and of the mutation. */
  readonly query?: Partial<AuthoredQuery>
  /**
   * The type is given by another query, too, of which this is said. A rule of the type (or of its field) holds there as well; one of the
   * queries above (`query`) does not, and whom it keeps out is shown the rows there.
   */
  readonly beside?: Partial<AuthoredQuery>
  /** Who is kept out, and with what. */
  readonly kept: () => Who | Promise<Who>
  /** The same, with the right: shows that the rule is what keeps the other out. */
  readonly let: () => Who | Promise<Who>
  /** Before the first attempt. */
  readonly prepare?: (app: App) => Promise<void>
  /** Entrances that it shuts to everybody, with the reason. */
  readonly shut?: Readonly<Record<string, string>>
}

export interface Who {
  readonly headers: Headers
  readonly address?: string
  readonly selection?: string
}

/** What somebody was told, whichever way: all messages of a socket or a stream, in one text. */
export type Told = Pick<InjectResponse, 'status' | 'text'>

/**
 * A column of the matrix: a way in. To add one (a socket, a stream of events, another protocol), export `matrix` from
 * `test/plugins/NAME/matrix.ts` with an entrance whose `ask` does what a client does and gives back all that it was told; a socket needs
 * `await app.listen()`, and sends `attempt.headers` with its handshake. Then every rule is held against it, and it is printed. Without it the test fails:
 * what the plugin mounts has to stand in `routes`, `upgrades` or `restKinds` of an entrance, and a file that calls `scope.pipeline.enter` needs `enters`.
 */
export interface MatrixEntrance {
  /** In words, for the page: "GraphQL POST". */
  readonly name: string
  /** Routes that it stands for, as their plugins mount them. */
  readonly routes?: readonly string[]
  /** Paths whose upgrades it stands for. */
  readonly upgrades?: readonly string[]
  /** Kinds of routes that REST derives from the schema. */
  readonly restKinds?: readonly RouteKind[]
  /** Plugin whose calls of `scope.pipeline.enter` it stands for. */
  readonly enters?: string
  /** The row of the attempt, if it may. */
  readonly ask: (app: App, attempt: Attempt) => Promise<Told>
  /** It calls `mutation` with `mark`: where a rule keeps somebody out, the row is looked at, too. */
  readonly writes?: true
  /** It tells the author, not the caller, and so all fields of a row, whoever changed it: why. Rules about fields are not held against it. */
  readonly author?: string
  /** It gives no data to anybody: why. Asked all the same, and its answer looked through. */
  readonly nothing?: string
}

/** What a plugin's test folder exports from `matrix.ts`. */
export interface MatrixPart {
  /** Sections of `svc.toml` that switch the plugin on in the service of the matrix, where the preset `full` does not. */
  readonly toml?: string
  /** Why the plugin is not on there. */
  readonly off?: string
  readonly rules?: readonly MatrixRule[]
  readonly entrances?: readonly MatrixEntrance[]
  /** By name of a plugin that hooks a request and keeps nobody out: why. */
  readonly harmless?: Readonly<Record<string, string>>
}
