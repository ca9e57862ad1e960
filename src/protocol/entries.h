// The entries of the catalogue, one per algorithm; each is defined in the algorithm's file.
#pragma once

#include "protocol/catalogue.h"

namespace coterie::protocol {

Entry maekawa_entry();
Entry surrogate_entry();
Entry surrogate_k_entry();
Entry mutin_entry();
Entry mutin_fused_entry();
Entry complement_entry();
Entry gcs_entry();
Entry k_mutex_entry();
Entry group_k_entry();
Entry maekawa_m_entry();
Entry toyomura_entry();
Entry joung_entry();
Entry maekawa_s_entry();
Entry ricart_agrawala_entry();
Entry suzuki_kasami_entry();
Entry raymond_entry();
Entry central_entry();
Entry shares_entry();
Entry census_entry();

}  // namespace coterie::protocol
