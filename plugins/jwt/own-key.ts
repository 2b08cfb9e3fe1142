/**
 * What tokens of svc's own name as their key. Whoever has the key of the configuration could write it, too; a token of another
 * issuer that does is not taken for one of svc's.
 */
export const OWN_KEY = 'svc'
