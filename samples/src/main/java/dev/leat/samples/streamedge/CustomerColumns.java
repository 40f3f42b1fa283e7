package dev.leat.samples.streamedge;

/** The columns of the customers' files, in their order: those of TPC-DS, then four of our own. */
public final class CustomerColumns {

  /** The names. */
  static final String[] NAMES = {
    "customer_sk",
    "customer_id",
    "current_cdemo_sk",
    "current_hdemo_sk",
    "current_addr_sk",
    "first_shipto_date_sk",
    "first_sales_date_sk",
    "salutation",
    "first_name",
    "last_name",
    "preferred_cust_flag",
    "birth_day",
    "birth_month",
    "birth_year",
    "birth_country",
    "login",
    "email_address",
    "last_review_date_sk",
    "subscription_tier",
    "country_code",
    "account_status",
    "valid_version"
  };

  private CustomerColumns() {}
}
