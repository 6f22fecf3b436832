/** The forms that sign in, below `/web`. Here, because the pages are loaded for the first browser only. */
export const SIGN_IN_FORMS = { login: '/login', register: '/register', link: '/sign-in' } as const;
