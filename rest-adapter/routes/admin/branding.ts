import { route } from '../../route.js';
import type { Wire } from '../../wire.js';

/** A field as it was sent: absent stays as it is, null and "" clear. */
const sent = ({ body }: Wire, name: string) => {
  const value = body.raw(name);
  return (value === '' ? null : value) as never;
};

/** The branding of the installation: name, looks, links and policies. */
export const brandingRoutes = [
  route('GET', '/branding', {
    procedure: 'branding.get',
    summary: 'The name, looks, links and policies of this installation',
    atRoot: true,
  }),
  route('GET', '/admin/branding', {
    procedure: 'branding.settings',
    summary: 'The same, with a logo and a banner that visitors do not see, or no longer',
    errors: [401, 403],
  }),
  route('PATCH', '/admin/branding', {
    procedure: 'branding.change',
    summary: 'Change them; absent fields stay, null and "" clear',
    errors: [400, 401, 403],
    read: (wire) => ({
      name: sent(wire, 'name'),
      tagline: sent(wire, 'tagline'),
      logo: sent(wire, 'logo'),
      accent: sent(wire, 'accent'),
      footerLinks: sent(wire, 'footerLinks'),
      banner: sent(wire, 'banner'),
      unknownUrl: sent(wire, 'unknownUrl'),
      privacy: sent(wire, 'privacy'),
      imprint: sent(wire, 'imprint'),
    }),
  }),
];
