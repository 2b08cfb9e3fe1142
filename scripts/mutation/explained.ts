/** Reasons why no test can, or needs to, detect a mutant. */
export interface Explained {
  readonly file: string
  /** The complete code that the mutant replaces. */
  readonly original: string
  readonly replacement: string
  readonly why: string
}

export const EXPLAINED: readonly Explained[] = [
  {
    file: 'core/expression/absence.ts',
    original: "node.kind !== 'compare'",
    replacement: 'false',
    why: 'Equivalent: no other kind of node has `==` or `!=` as its operator.',
  },
  {
    file: 'core/expression/pattern/automaton.ts',
    original: 'this.#states.size > MOST_STATES',
    replacement: 'false',
    why: 'Equivalent but for memory: more states are kept, and each text is answered alike.',
  },
  {
    file: 'core/expression/pattern/simulate.ts',
    original: 'code === undefined',
    replacement: 'false',
    why: 'Equivalent: no comparison with an absent code is true.',
  },
  {
    file: 'core/service/stores/redis-probe.ts',
    original: 'this.#waiting.length > 0',
    replacement: 'this.#waiting.length >= 0',
    why: 'Equivalent but for a timer: the probe ends half a second after its last user has left.',
  },
  {
    file: 'core/schema/checks/scalar-check.ts',
    original: '{ functions: [], fields: new Map(), field: null }',
    replacement: '{}',
    why: 'Equivalent: `svc compile` refuses every rule of a scalar that looks at more than the value.',
  },
  {
    file: 'plugins/api-keys/key-table.ts',
    original: '[]',
    replacement: '["Stryker was here"]',
    why: 'Equivalent: no function has this name, and the answer about functions is not read.',
  },
  {
    file: 'plugins/csrf-prevention/manifest.ts',
    original: "'0.1.0'",
    replacement: '""',
    why: 'A version that `svc plugins` prints; nothing is decided by it.',
  },
  {
    file: 'plugins/csrf-prevention/options.ts',
    original: "'object'",
    replacement: '""',
    why: 'Equivalent: a section is an object whatever its options say (`assembleConfigSchema` writes it).',
  },
  {
    file: 'plugins/response-cache/conditional-get.ts',
    original: 'ctx.route?.method',
    replacement: 'ctx.route.method',
    why: 'Equivalent: a request without a route runs no operation, so that no answer is marked.',
  },
  {
    file: 'plugins/scopes/guards.ts',
    original: 'denials.set !== null',
    replacement: 'true',
    why: 'Equivalent: `concerns` says no for a set that is null. The compiler wants it for the line itself.',
  },
  {
    file: 'plugins/scopes/guards.ts',
    original: 'does === undefined',
    replacement: 'true',
    why: 'Equivalent but for speed: what was kept is found out again.',
  },
  {
    file: 'plugins/scopes/guards.ts',
    original: 'wanted.length > 0',
    replacement: 'true',
    why: 'Equivalent: a target that wants nothing is closed to no caller.',
  },
  {
    file: 'plugins/subscriptions/hub/reader.ts',
    original: 'this.members.size === 0',
    replacement: 'false',
    why: 'Equivalent but for memory: a reader that its last member has left gets no other.',
  },
]

/** @returns `null`: a survivor without an explanation */
export function explain(mutant: Omit<Explained, 'why'>): string | null {
  const same = ({ file, original, replacement }: Explained): boolean =>
    file === mutant.file && original === mutant.original && replacement === mutant.replacement
  return EXPLAINED.find(same)?.why ?? null
}
