import type { App } from '../../../core/app.ts'
import type { InjectResponse } from '../../../core/http/inject.ts'
import type { AuthoredField, AuthoredQuery, AuthoredType } from '../../../core/schema/authored.ts'

/** What stands behind every rule. Whoever is told this text has got past it. */
export const SECRET = 'the text that the rule guards'

export type Headers = Readonly<Record<string, string>>

/** One attempt, for an entrance to put in its own words. */
export interface Attempt {
  /** Query that gives the rows of the rule's type, and that type; each rule has its own. */
  readonly query: string
  readonly type: string
  /** Global id of the row. */
  readonly id: string
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
  readonly query?: Partial<AuthoredQuery>
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

/** A column of the matrix: a way in. */
export interface MatrixEntrance {
  /** In words, for the page: "GraphQL POST". */
  readonly name: string
  /** Routes that it stands for, as their plugins mount them. */
  readonly routes: readonly string[]
  /** The row of the attempt, if it may. */
  readonly ask: (app: App, attempt: Attempt) => Promise<InjectResponse>
  /** It gives no data to anybody: why. Asked all the same, and its answer looked through. */
  readonly nothing?: string
}

/** What a plugin's test folder exports from `matrix.ts`. */
export interface MatrixPart {
  readonly rules?: readonly MatrixRule[]
  readonly entrances?: readonly MatrixEntrance[]
  /** By name of a plugin that hooks a request and keeps nobody out: why. */
  readonly harmless?: Readonly<Record<string, string>>
}
